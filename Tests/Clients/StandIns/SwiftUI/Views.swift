// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stands in for SwiftUI on Linux: the declarations that this package and its guides use, as Apple
// documents them. Each names its page. Views draw nothing; bodies can be evaluated.

@_exported public import Foundation
@_exported public import Observation

// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {}

extension View where Body == Never {
  public var body: Never { fatalError("SwiftUI doesn't evaluate the body of its own views.") }
}

// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
  // https://developer.apple.com/documentation/swiftui/viewbuilder/buildexpression(_:)
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: View {
    content
  }
  // https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock()
  public static func buildBlock() -> EmptyView { EmptyView() }
  // https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: View {
    content
  }
  // https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)
  public static func buildBlock<each Content>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> where repeat each Content: View {
    TupleView((repeat each content))
  }
  // https://developer.apple.com/documentation/swiftui/viewbuilder/buildif(_:)
  public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View {
    content
  }
  // https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(first:)
  public static func buildEither<TrueContent, FalseContent>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
    _ConditionalContent()
  }
  // https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(second:)
  public static func buildEither<TrueContent, FalseContent>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
    _ConditionalContent()
  }
}

// https://developer.apple.com/documentation/swiftui/emptyview
nonisolated public struct EmptyView: View {
  public init() {}
}

// https://developer.apple.com/documentation/swiftui/tupleview
nonisolated public struct TupleView<T>: View {
  public var value: T
  public init(_ value: T) { self.value = value }
}

// https://developer.apple.com/documentation/swiftui/_conditionalcontent
nonisolated public struct _ConditionalContent<TrueContent, FalseContent>: View {}

// https://developer.apple.com/documentation/swift/optional
extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

// https://developer.apple.com/documentation/swiftui/localizedstringkey
nonisolated public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  private let key: String
  public init(_ value: String) { key = value }
  public init(stringLiteral value: String) { key = value }
}

// https://developer.apple.com/documentation/swiftui/text
nonisolated public struct Text: View, Equatable {
  private let content: String
  // https://developer.apple.com/documentation/swiftui/text/init(_:tablename:bundle:comment:)
  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) { content = "\(key)" }
  // https://developer.apple.com/documentation/swiftui/text/init(_:)
  @_disfavoredOverload public init<S>(_ content: S) where S: StringProtocol {
    self.content = String(content)
  }
}

// https://developer.apple.com/documentation/swiftui/button
nonisolated public struct Button<Label>: View where Label: View {
  private let action: @MainActor () -> Void
}

extension Button where Label == Text {
  // https://developer.apple.com/documentation/swiftui/button/init(_:action:)
  nonisolated public init(
    _ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void
  ) { self.action = action }
  @_disfavoredOverload nonisolated public init<S>(
    _ title: S, action: @escaping @MainActor () -> Void
  ) where S: StringProtocol { self.action = action }
}

// https://developer.apple.com/documentation/swiftui/textfield
nonisolated public struct TextField<Label>: View where Label: View {
  private let text: Binding<String>
}

extension TextField where Label == Text {
  // https://developer.apple.com/documentation/swiftui/textfield/init(_:text:)
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
    self.text = text
  }
  @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>)
  where S: StringProtocol { self.text = text }
}

// https://developer.apple.com/documentation/swiftui/toggle
nonisolated public struct Toggle<Label>: View where Label: View {
  private let isOn: Binding<Bool>
}

extension Toggle where Label == Text {
  // https://developer.apple.com/documentation/swiftui/toggle/init(_:ison:)
  nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.isOn = isOn }
  @_disfavoredOverload nonisolated public init<S>(_ title: S, isOn: Binding<Bool>)
  where S: StringProtocol { self.isOn = isOn }
}

// https://developer.apple.com/documentation/swiftui/horizontalalignment
nonisolated public struct HorizontalAlignment: Equatable, Sendable {
  public static let center = HorizontalAlignment()
}

// https://developer.apple.com/documentation/swiftui/vstack
nonisolated public struct VStack<Content>: View where Content: View {
  // https://developer.apple.com/documentation/swiftui/vstack/init(alignment:spacing:content:)
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { _ = content() }
}

// https://developer.apple.com/documentation/swiftui/list
nonisolated public struct List<SelectionValue, Content>: View
where SelectionValue: Hashable, Content: View {}

extension List where SelectionValue == Never {
  // https://developer.apple.com/documentation/swiftui/list/init(content:)
  nonisolated public init(@ViewBuilder content: () -> Content) { _ = content() }
}

// https://developer.apple.com/documentation/swiftui/foreach
nonisolated public struct ForEach<Data, ID, Content>
where Data: RandomAccessCollection, ID: Hashable {
  public var data: Data
  // Evaluated later, not in the body that contains it.
  public var content: (Data.Element) -> Content
}

extension ForEach: View where Content: View {
  // https://developer.apple.com/documentation/swiftui/foreach/init(_:id:content:)
  nonisolated public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) { (self.data, self.content) = (data, content) }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  // https://developer.apple.com/documentation/swiftui/foreach/init(_:content:)
  nonisolated public init(
    _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) { (self.data, self.content) = (data, content) }
}

extension ForEach where Content: View {
  // https://developer.apple.com/documentation/swiftui/dynamicviewcontent/ondelete(perform:)
  nonisolated public func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { self }

  // https://developer.apple.com/documentation/swiftui/dynamicviewcontent/onmove(perform:)
  nonisolated public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some View { self }
}

// https://developer.apple.com/documentation/swift/mutablecollection/move(fromoffsets:tooffset:)
extension MutableCollection {
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    fatalError("Not called: the collections of this package have their own.")
  }
}

// https://developer.apple.com/documentation/swift/rangereplaceablecollection/remove(atoffsets:)
extension RangeReplaceableCollection {
  public mutating func remove(atOffsets offsets: IndexSet) {
    fatalError("Not called: the collections of this package have their own.")
  }
}

// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

// https://developer.apple.com/documentation/swiftui/scenebuilder
@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene {
    content
  }
}

// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

// https://developer.apple.com/documentation/swiftui/windowgroup
nonisolated public struct WindowGroup<Content>: Scene where Content: View {
  // https://developer.apple.com/documentation/swiftui/windowgroup/init(content:)
  nonisolated public init(@ViewBuilder content: () -> Content) { _ = content() }
  public var body: Never { fatalError("Not called: a scene's body is SwiftUI's.") }
}

extension View {
  // https://developer.apple.com/documentation/swiftui/view/sheet(ispresented:ondismiss:content:)
  nonisolated public func sheet<Content>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View where Content: View { self }

  // https://developer.apple.com/documentation/swiftui/view/sheet(item:ondismiss:content:)
  nonisolated public func sheet<Item, Content>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View where Item: Identifiable, Content: View { self }

  // https://developer.apple.com/documentation/swiftui/view/alert(_:ispresented:actions:)
  nonisolated public func alert<A>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
  ) -> some View where A: View {
    _ = actions()
    return self
  }

  // https://developer.apple.com/documentation/swiftui/view/task(id:name:priority:file:line:_:)
  // Pages of documentation leave out the underscored attribute of the module's interface.
  nonisolated public func task<T>(
    id: T, name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID,
    line: Int = #line,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View where T: Equatable { self }

  // https://developer.apple.com/documentation/swiftui/view/environment(_:_:)
  nonisolated public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View { self }
}

// https://developer.apple.com/documentation/swiftui/preview(_:body:)
@freestanding(declaration) public macro Preview(
  _ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewsMacros", type: "SwiftUIView")

/// What a preview expands to here: its body, with the type that the macro's parameter has.
public func _preview(@ViewBuilder body: @escaping @MainActor () -> any View)
  -> @MainActor () ->
  any View
{ body }
