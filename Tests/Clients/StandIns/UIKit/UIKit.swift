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

  // https://developer.apple.com/documentation/uikit/uiview/addsubview(_:)
  open func addSubview(_ view: UIView) {}
}

// https://developer.apple.com/documentation/uikit/uilabel
@MainActor open class UILabel: UIView {
  // https://developer.apple.com/documentation/uikit/uilabel/text
  open var text: String?
}

// https://developer.apple.com/documentation/uikit/uiaction
@MainActor open class UIAction: NSObject {
  // https://developer.apple.com/documentation/uikit/uiactionhandler
  fileprivate let handler: UIActionHandler

  // https://developer.apple.com/documentation/uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:)
  public init(title: String = "", handler: @escaping UIActionHandler) { self.handler = handler }
}

public typealias UIActionHandler = (_ action: UIAction) -> Void

// https://developer.apple.com/documentation/uikit/uicontrol
@MainActor open class UIControl: UIView {
  fileprivate var primaryAction: UIAction?

  // https://developer.apple.com/documentation/uikit/uicontrol/sendactions(for:)
  open func sendActions(for controlEvents: UIControl.Event) {
    if let primaryAction { primaryAction.handler(primaryAction) }
  }

  // https://developer.apple.com/documentation/uikit/uicontrol/event
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // https://developer.apple.com/documentation/uikit/uicontrol/event/primaryactiontriggered
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
  }
}

// https://developer.apple.com/documentation/uikit/uibutton
@MainActor open class UIButton: UIControl {
  // https://developer.apple.com/documentation/uikit/uibutton/buttontype
  public enum ButtonType: Int, Sendable { case custom, system }

  // https://developer.apple.com/documentation/uikit/uibutton/init(type:primaryaction:)
  public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
    self.init(frame: .zero)
    self.primaryAction = primaryAction
  }
}

// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
  // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)
  public required init?(coder: NSCoder) {}

  // https://developer.apple.com/documentation/uikit/uiviewcontroller/view
  open var view: UIView! = UIView(frame: .zero)

  // https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()
  open func viewDidLoad() {}
  // https://developer.apple.com/documentation/uikit/uiviewcontroller/viewwilllayoutsubviews()
  open func viewWillLayoutSubviews() {}
}
