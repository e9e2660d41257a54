import Foundation

/// A plot with two logarithmic axes, as SVG for light and dark pages.
struct Plot {
  struct Line {
    let name: String
    /// One of the four in ``style``.
    let color: Int
    var stroke = Stroke.solid
    let points: [(x: Double, y: Double)]
  }

  enum Stroke: String {
    case solid, dashed, dotted
  }

  let title: String
  let xTitle: String
  let yTitle: String
  let lines: [Line]

  private let size = (width: 720.0, height: 420.0)
  private let area = (left: 64.0, right: 500.0, top: 52.0, bottom: 364.0)

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(size.width)) \
    \(number(size.height))" role="img" aria-label="\(escaped(title))">
    <style>\(style)</style>
    <text class="title" x="\(number(area.left))" y="24">\(escaped(title))</text>
    \((horizontals + verticals + titles + drawnLines + labels).joined(separator: "\n"))
    </svg>

    """
  }

  private var style: String {
    """
    text{font:13px system-ui,sans-serif;fill:#1d1d1f}.title{font-weight:600;font-size:15px}\
    .axis{stroke:#d2d2d7;stroke-width:1}.line{fill:none;stroke-width:2}.dashed{stroke-dasharray:5 4}\
    .dotted{stroke-dasharray:1 4;stroke-linecap:round}\
    .c0{stroke:#0066cc}.c1{stroke:#b64400}.c2{stroke:#248a3d}.c3{stroke:#6e6e73}\
    text.c0{fill:#0066cc;stroke:none}text.c1{fill:#b64400;stroke:none}\
    text.c2{fill:#248a3d;stroke:none}text.c3{fill:#6e6e73;stroke:none}\
    @media(prefers-color-scheme:dark){text{fill:#f5f5f7}.axis{stroke:#424245}\
    .c0{stroke:#2997ff}.c1{stroke:#ff9f5a}.c2{stroke:#30d158}.c3{stroke:#a1a1a6}\
    text.c0{fill:#2997ff}text.c1{fill:#ff9f5a}text.c2{fill:#30d158}text.c3{fill:#a1a1a6}}
    """
  }

  // MARK: - Axes

  private var xs: [Double] { Set(lines.flatMap { $0.points.map(\.x) }).sorted() }

  /// Powers of ten around all plotted values.
  private var yTicks: [Double] {
    let ys = lines.flatMap { $0.points.map(\.y) }
    guard let least = ys.min(), let most = ys.max(), least > 0 else { return [1, 10] }
    let (low, high) = (log10(least).rounded(.down), log10(most).rounded(.up))
    return stride(from: low, through: max(high, low + 1), by: 1).map { pow(10, $0) }
  }

  private func x(_ value: Double) -> Double {
    scale(value, xs.first ?? 1, xs.last ?? 1, to: area.left, area.right)
  }

  private func y(_ value: Double) -> Double {
    scale(value, yTicks[0], yTicks[yTicks.count - 1], to: area.bottom, area.top)
  }

  private func scale(
    _ value: Double, _ low: Double, _ high: Double, to start: Double, _ end: Double
  ) -> Double {
    low == high ? start : start + (end - start) * log(value / low) / log(high / low)
  }

  private var horizontals: [String] {
    yTicks.map { tick in
      """
      <path class="axis" d="M\(number(area.left)) \(number(y(tick)))H\(number(area.right))"/>\
      <text x="\(number(area.left - 8))" y="\(number(y(tick) + 4))" text-anchor="end">\
      \(number(tick))</text>
      """
    }
  }

  private var verticals: [String] {
    xs.map { tick in
      """
      <text x="\(number(x(tick)))" y="\(number(area.bottom + 20))" text-anchor="middle">\
      \(number(tick))</text>
      """
    }
  }

  private var titles: [String] {
    [
      "<text x=\"\(number(area.left))\" y=\"43\">\(escaped(yTitle))</text>",
      """
      <text x="\(number((area.left + area.right) / 2))" y="\(number(area.bottom + 42))" \
      text-anchor="middle">\(escaped(xTitle))</text>
      """,
    ]
  }

  // MARK: - Lines

  private var drawnLines: [String] {
    lines.map { line in
      let points = line.points.map { "\(number(x($0.x))) \(number(y($0.y)))" }
      return """
        <path class="line c\(line.color) \(line.stroke.rawValue)" \
        d="M\(points.joined(separator: "L"))"/>
        """
    }
  }

  /// The names at the ends of the lines, far enough apart to read.
  private var labels: [String] {
    var above = -Double.infinity
    return lines.sorted { end(of: $0) < end(of: $1) }.map { line in
      above = max(end(of: line), above + 17)
      return """
        <text class="c\(line.color)" x="\(number(area.right + 10))" y="\(number(above + 4))">\
        \(escaped(line.name))</text>
        """
    }
  }

  private func end(of line: Line) -> Double {
    y(line.points.last?.y ?? 1)
  }

  private func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
