// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SwiftSyntax
public import SwiftSyntaxMacros

/// Expands `#Preview { … }` to a function that makes the preview's body, so that it is compiled.
public struct SwiftUIView: DeclarationMacro {
  public static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let body = node.trailingClosure else { return [] }
    return [
      """
      @MainActor private func \(context.makeUniqueName("preview"))() -> any SwiftUI.View {
        SwiftUI._preview \(body)()
      }
      """
    ]
  }
}
