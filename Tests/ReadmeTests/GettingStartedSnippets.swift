import ComposableEnvironment
import Testing

struct WeatherService: DependencyKey {
  static let defaultValue = WeatherService { city in Double(city.count) }
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
  @Test("override")
  func override() async throws {
    #expect(isMetric())
    let text = try await withDependencies {
      $0.temperatureUnit = .fahrenheit
    } operation: {
      try await Forecast().text(for: "Oslo")
    }
    assert(text == "39 °F")
    #expect(text == "39 °F")
  }

  @Test("the forecast names the unit")
  func forecast() async throws {
    let text = try await withDependencies {
      $0.weather.celsius = { _ in 21 }
    } operation: {
      try await Forecast().text(for: "Oslo")
    }
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
