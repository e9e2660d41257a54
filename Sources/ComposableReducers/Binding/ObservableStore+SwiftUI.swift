#if canImport(SwiftUI)
  public import SwiftUI

  extension ObservableStore {
    /// Returns a SwiftUI binding that reads a value of the state, and sets it by sending an action.
    ///
    /// The view that creates the binding, and each view that reads it, is updated when an action
    /// changes the value.
    ///
    /// ```swift
    /// TextField("Name", text: store.binding(\.name, send: ProfileAction.nameTyped))
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The value in the state, for example `\.name`.
    ///   - action: The action that sets the value, for example `ProfileAction.nameTyped`.
    public func binding<Value: Equatable>(
      _ keyPath: KeyPath<State, Value>, send action: @escaping @MainActor (Value) -> Action
    ) -> Binding<Value> {
      Binding { @MainActor in
        self[keyPath]
      } set: { @MainActor in
        // A text field may write after its sheet has gone.
        if self.exists { self.send(action($0)) }
      }
    }

    /// Returns a SwiftUI binding of a value that isn't `Equatable`, which sets it by sending an action.
    ///
    /// The view that creates the binding, and each view that reads it, is updated after each action.
    ///
    /// - Parameters:
    ///   - keyPath: The value in the state, for example `\.selection`.
    ///   - action: The action that sets the value, for example `ListAction.selected`.
    public func binding<Value>(
      _ keyPath: KeyPath<State, Value>, send action: @escaping @MainActor (Value) -> Action
    ) -> Binding<Value> {
      Binding { @MainActor in
        self[keyPath]
      } set: { @MainActor in
        // A text field may write after its sheet has gone.
        if self.exists { self.send(action($0)) }
      }
    }

    /// Returns a SwiftUI binding that is `true` while the state has an optional part.
    ///
    /// It is for alerts, and for sheets of a part without an identity. When SwiftUI sets it to `false`,
    /// the store sends the action, which should set the part to `nil`. Setting it to `true` does nothing.
    ///
    /// The view that creates the binding is updated when the part appears or disappears, but not when
    /// it changes.
    ///
    /// ```swift
    /// .alert("Delete everything?", isPresented: store.binding(isPresent: \.question, dismiss: .kept)) {
    ///   Button("Delete") { store.send(.deleted) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - part: The part of the state, for example `\.question`.
    ///   - action: The action that removes the part, for example `.kept`.
    public func binding<Part>(
      isPresent part: KeyPath<State, Part?>, dismiss action: Action
    ) -> Binding<Bool> {
      Binding { @MainActor in
        self.isPresent(part)
      } set: { @MainActor isPresent in
        if !isPresent { self.dismiss(part, action) }
      }
    }

    /// Returns a SwiftUI binding of the child store of an optional part, for a sheet.
    ///
    /// When SwiftUI sets it to `nil`, the store sends the action, which should set the part to `nil`.
    /// Setting it to a store does nothing. While the sheet disappears, its store keeps the part's last
    /// value.
    ///
    /// The view that creates the binding is updated when the part appears, disappears or gets another
    /// `id`, but not when it changes otherwise.
    ///
    /// ```swift
    /// .sheet(item: store.binding(child: \.profile, action: AppAction.profile, dismiss: .profileClosed)) {
    ///   ProfileView(store: $0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - part: The part of the state, for example `\.profile`.
    ///   - action: The action that holds the part's action, for example `AppAction.profile`.
    ///   - dismissal: The action that removes the part, for example `.profileClosed`.
    public func binding<Part: Identifiable & Equatable & Sendable, PartAction: Sendable>(
      child part: KeyPath<State, Part?>,
      action: @escaping @MainActor (PartAction) -> Action,
      dismiss dismissal: Action
    ) -> Binding<ObservableStore<Part, PartAction>?> {
      Binding { @MainActor in
        // SwiftUI replaces the sheet when the id changes.
        _ = self[part.appending(path: \.?.id)]
        return self.optionalChild(state: part, action: action)
      } set: { @MainActor child in
        if child == nil { self.dismiss(part, dismissal) }
      }
    }

    /// Sends an action, unless the part that it removes is already gone.
    private func dismiss<Part>(_ part: KeyPath<State, Part?>, _ action: Action) {
      if currentState[keyPath: part] != nil { send(action) }
    }
  }

  extension ObservableStore where Action: BindableAction, Action.State == State {
    /// Returns a SwiftUI binding of a property of the state, which sets it by sending a binding action.
    ///
    /// The view that creates the binding, and each view that reads it, is updated when an action
    /// changes the property. If no reducer uses ``Reducer/binding(action:)``, an issue is reported.
    ///
    /// ```swift
    /// Toggle("Public", isOn: store.binding(\.isPublic))
    /// ```
    ///
    /// - Parameter keyPath: The property of the state, for example `\.isPublic`.
    public func binding<Value: Equatable & Sendable>(
      _ keyPath: any WritableKeyPath<State, Value> & Sendable
    ) -> Binding<Value> {
      binding(keyPath) { .binding(.set(keyPath, $0).mustBeApplied()) }
    }
  }

  /// A child store has the identity of its state, for a sheet's item.
  extension ObservableStore: @MainActor Identifiable where State: Identifiable {
    /// The identity of the current state.
    ///
    /// Code that reads it is notified when it changes.
    public var id: State.ID { self[\.id] }
  }
#endif
