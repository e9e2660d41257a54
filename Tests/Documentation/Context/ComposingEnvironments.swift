@Test("a stored property is adopted")
private func adoption() {
  #expect(PageEnvironment(pageSize: 50).with(\.retryLimit, 1).pageSize == 50)
}
