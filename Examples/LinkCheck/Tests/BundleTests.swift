import Testing

@testable import linkcheck

@Suite("DocC bundles")
struct BundleTests {
  private func problems(_ texts: [Path: String]) async -> [String] {
    let (_, recorder) = await run(in: InMemoryFiles(texts))
    let lines = recorder.standardOutput.split(separator: "\n").dropLast().dropFirst()
    return lines.map { String($0.split(separator: " ")[1]) }
  }

  @Test("an asset is named without extension, scale and appearance, wherever in the bundle it is")
  func assets() async {
    let texts: [Path: String] = [
      "/Book.docc/Guide/Page.md": """
      ![](wave) ![](wave.png) ![](wave@2x.png) ![](wave~dark@2x.png) ![](photo) ![](clip.mov)
      ![](gone) ![](wav) ![](wave.jpg) ![](Images/wave) ![](Other) ![](outside)
      """,
      "/Book.docc/Images/deep/wave@2x.png": "",
      "/Book.docc/Images/deep/wave~dark@2x.png": "",
      "/Book.docc/photo~dark@3x.jpg": "",
      "/Book.docc/clip.mov": "",
      "/Book.docc/Other.md": "",
      "/outside.png": "",
    ]
    let found = await problems(texts)
    #expect(
      found == ["Images/wave", "Other", "gone", "outside", "wav", "wave.jpg"])
  }

  @Test("outside a bundle an image is a file")
  func outside() async {
    #expect(await problems(["/a.md": "![](wave)", "/wave.png": ""]) == ["wave"])
    #expect(await problems(["/a.md": "![](wave)", "/C/B.docc/wave.png": ""]) == ["wave"])
  }

  @Test("doc comments use the bundle of their module")
  func docComments() async {
    let texts: [Path: String] = [
      "/Package.swift": "",
      "/Sources/A/Deep/A.swift": "/// ![](wave) ![](other)",
      "/Sources/A/A.docc/wave@2x.png": "",
      "/Sources/B/B.docc/other.png": "",
    ]
    #expect(await problems(texts) == ["other"])
  }

  @Test("a doc: link to an article is followed to its heading, and one to a symbol is left alone")
  func articles() async {
    let texts: [Path: String] = [
      "/B.docc/A.md": """
      <doc:Guide> <doc:Guide#One-Two> <doc:My-Guide#Don't-stop:-now> <doc:Guide#Overview>
      <doc:Guide#gone> [a](doc:B/Guide#gone-too) [b](doc:Store#gone) <doc:Store/send(_:)> [c](doc:X#y)
      ``Store`` [d](doc:Guide#one-two)
      """,
      "/B.docc/Articles/Guide.md": "# Guide\n\n## One Two",
      "/B.docc/My Guide.md": "# My\n\n## Don't stop: now",
      "/B.docc/Store.md": "# ``Store``\n\n## Topics",
    ]
    #expect(await problems(texts) == ["doc:B/Guide#gone-too", "doc:Guide#gone"])
  }

  @Test("a link to an article is followed beside a code listing of the same name, not a tutorial")
  func sameNames() async {
    let texts: [Path: String] = [
      "/B.docc/A.md": "<doc:Guide#gone> <doc:Lesson#any>",
      "/B.docc/Guide.md": "# Guide",
      "/B.docc/Code/Guide.swift": "",
      "/B.docc/Tutorials/Lesson.tutorial": "",
      "/B.docc/Tutorials/Articles/Lesson.md": "# Lesson",
    ]
    #expect(await problems(texts) == ["doc:Guide#gone"])
  }
}
