// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stands in for UIKit on Linux: the declarations that the guides use, as Apple documents them. Each
// names its page.

@_exported public import Foundation
@_exported public import Observation

// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder: NSObject {
  public override init() {}
}

// https://developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
  public convenience override init() { self.init(frame: .zero) }
  // https://developer.apple.com/documentation/uikit/uiview/init(frame:)
  public init(frame: CGRect) { super.init() }
  // https://developer.apple.com/documentation/uikit/uiview/init(coder:)
  public required init?(coder: NSCoder) {}
}

// https://developer.apple.com/documentation/uikit/uilabel
@MainActor open class UILabel: UIView {
  // https://developer.apple.com/documentation/uikit/uilabel/text
  open var text: String?
}

// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
  // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)
  public required init?(coder: NSCoder) {}

  // https://developer.apple.com/documentation/uikit/uiviewcontroller/viewwilllayoutsubviews()
  open func viewWillLayoutSubviews() {}
}
