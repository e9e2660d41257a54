import ComposableEnvironment
import DependencyDebugging
import Synchronization
import TestSupport
import Testing

private class Shop: ComposableEnvironment, @unchecked Sendable {
  let scope = DependencyScope.current
  @DerivedEnvironment<Till> var till
  private let discountLimit = Mutex(0)

  required init() {}

  var limit: Int {
    get { discountLimit.withLock { $0 } }
    set { discountLimit.withLock { $0 = newValue } }
  }

  func price() -> Int { 1 }

  func adopt(from other: Shop) { limit = other.limit }
}

private final class Discount: Shop, @unchecked Sendable {
  override func price() -> Int { 0 }
}

private struct Till: ComposableEnvironment {
  let scope = DependencyScope.current
}

private class Named: ComposableEnvironment, @unchecked Sendable {
  let scope = DependencyScope.current
  let name: String

  required init() { name = "" }
  init(name: String) { self.name = name }
}

private final class NamedBelow: Named, @unchecked Sendable {}

private struct Mall: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Shop> var shop
}

/// Environments that are classes, known by the type of a superclass.
@Suite("Subclasses of environments")
struct SubclassTests {
  @Test("rule 17: `with` recreates an instance of a subclass as one, with its stored properties")
  func with() {
    let shops: [Shop] = [Shop(), Discount()]
    for shop in shops { shop.limit = 3 }
    let copies = shops.map { $0.with(\.a, 5) }
    #expect(copies.map { $0.price() } == [1, 0])
    #expect(copies.map(\.a) == [5, 5])
    #expect(copies.map(\.limit) == [3, 3])
  }

  @Test("rule 18: an instance of a subclass keeps its own overrides below its parent")
  func derived() {
    var mall = Mall()
    mall.shop = Discount().with(\.a, 5)
    #expect(mall.shop.price() == 0)
    let copy = mall.with { $0.b = 7 }
    #expect(copy.shop.price() == 0)
    #expect(copy.shop.a == 5)
    #expect(copy.shop.b == 7)
    // Whatever type set the override, it is the instance's own.
    mall.shop = (Discount() as Shop).with(\.a, 6)
    let again = mall.with(\.a, 1)
    #expect(again.shop.a == 6)
  }

  @Test(
    "rule 21: a derived environment that was assigned in a superclass's property is carried over")
  func assigned() {
    let shop: Shop = Discount()
    shop.till = Till().with(\.a, 5)
    #expect(shop.with(\.b, 7).till.a == 5)
  }

  @Test("an instance of a subclass is explained with the environments that its superclass derives")
  func explained() {
    let shop = Discount()
    shop.till = Till().with(\.a, 5)
    #expect("\(shop.explain())".contains("till"))
  }

  #if DEBUG
    @Test("rule 21: a superclass's property that is lost is reported")
    func lost() {
      let named: Named = NamedBelow(name: "corner")
      let reported = issues { _ = named.with(\.a, 5) }
      #expect(reported.count == 1)
      #expect(reported.first?.problem.contains("`name`") == true)
    }
  #endif
}
