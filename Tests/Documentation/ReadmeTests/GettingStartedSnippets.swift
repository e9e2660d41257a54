import ComposableEnvironment
import ComposableTesting
import Testing

private func measuredTemperature(in city: String) async throws -> Double { 4 }

struct WeatherService: DependencyKey {
  static let defaultValue = WeatherService { city in try await measuredTemperature(in: city) }
  var celsius: @Sendable (_ city: String) async throws -> Double
}

enum TemperatureUnit: DependencyKey {
  static let defaultValue = celsius
  case celsius, fahrenheit
}

extension Dependencies {
  var weather: WeatherService {
    get { self[WeatherService.self] }
    set { self[WeatherService.self] = newValue }
  }

  var temperatureUnit: TemperatureUnit {
    get { self[TemperatureUnit.self] }
    set { self[TemperatureUnit.self] = newValue }
  }
}

enum CelsiusKey: DependencyKey {
  static let defaultValue: @Sendable (_ city: String) async throws -> Double =
    Dependencies.unimplemented("celsius", placeholder: 0)
}

struct Forecast {
  @Dependency(\.weather) var weather
  @Dependency(\.temperatureUnit) var unit

  func text(for city: String) async throws -> String {
    let celsius = try await weather.celsius(city)
    switch unit {
    case .celsius: return "\(Int(celsius)) °C"
    case .fahrenheit: return "\(Int(celsius * 9 / 5 + 32)) °F"
    }
  }
}

func isMetric() -> Bool {
  DependencyScope.current.temperatureUnit == .celsius
}

struct ForecastEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.weather) var weather
}

struct TravelEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<ForecastEnvironment> var home
  @DerivedEnvironment var abroad = ForecastEnvironment().with(\.temperatureUnit, .fahrenheit)
}

@Suite("Snippets of Getting started")
struct GettingStartedSnippets {
  @Test("an override for an operation")
  func overriding() async throws {
    #expect(isMetric())
    let text = try await withDependencies {
      $0.temperatureUnit = .fahrenheit
      $0.weather.celsius = { _ in 20 }
    } operation: {
      try await Forecast().text(for: "Oslo")
    }
    assert(text == "68 °F")
    #expect(text == "68 °F")
  }

  @Test("a type reads the scope in which it is created")
  func capturing() {
    let forecast = Forecast()
    withDependencies {
      $0.temperatureUnit = .fahrenheit
    } operation: {
      assert(forecast.unit == .celsius)
      assert(Forecast().unit == .fahrenheit)
    }
  }

  @Test("a value for the whole program", .isolatedDependencies)
  func setting() {
    Dependencies.set {
      $0.temperatureUnit = .fahrenheit
    }
    #expect(!isMetric())
  }

  @Test(.dependencies { $0.weather.celsius = { _ in 21 } })
  func namesTheUnit() async throws {
    let text = try await Forecast().text(for: "Oslo")
    #expect(text == "21 °C")
  }

  @Test("environments")
  func environments() async throws {
    let travel = TravelEnvironment().with(\.weather.celsius) { _ in 10 }
    let celsius = try await travel.home.weather.celsius("Oslo")
    assert(celsius == 10)
    assert(travel.home.temperatureUnit == .celsius)
    assert(travel.abroad.temperatureUnit == .fahrenheit)
  }
}
