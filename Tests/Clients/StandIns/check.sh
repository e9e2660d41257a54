#!/usr/bin/env bash
# Compiles what needs SwiftUI or UIKit against stand-ins for these modules: the package's own code, the
# pages of documentation that import them, and the examples in comments. Then runs their tests. Only for
# Linux: elsewhere, SwiftUI is the real one.
#
# The stand-ins are modules on the compiler's search path, not targets, so that no user of the package
# can link them. A package that is generated below .build depends on this one, and has one target of
# tests that isolates to the main actor by default and one that doesn't.
set -euo pipefail
cd "$(dirname "$0")/../../.."

root=$PWD
here=Tests/Clients/StandIns
output=$root/.build/stand-ins
package=$output/package
mkdir -p "$output/modules" "$package/Tests/ViewTests" "$package/Sources/Comments"

# `#Preview` needs a macro; the toolchain has the library for it.
host=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/host
macros=$output/libPreviewsMacros.so
swiftc -emit-library -o "$macros" -module-name PreviewsMacros -swift-version 6 "$here"/Macros/*.swift \
  -parse-as-library -I "$host" -L "$host" -lSwiftSyntax -lSwiftSyntaxMacros -lSwiftSyntaxBuilder \
  -Xlinker -rpath -Xlinker "$host"

flags=(
  -Xswiftc -I -Xswiftc "$output/modules" -Xswiftc -load-plugin-library -Xswiftc "$macros"
  # Testing has additions for the real UIKit.
  -Xswiftc -Xfrontend -Xswiftc -disable-cross-import-overlays
)
for module in SwiftUI UIKit; do
  # Bindings call isolated closures without waiting, as SwiftUI does, and the compiler warns of it.
  swiftc -module-name "$module" -swift-version 6 "$here/$module"/*.swift -suppress-warnings \
    -parse-as-library -wmo -emit-object -o "$output/$module.o" \
    -emit-module -emit-module-path "$output/modules/$module.swiftmodule" -load-plugin-library "$macros"
  flags+=(-Xlinker "$output/$module.o")
done

mapfile -t pages < <(grep -lrE '^import (SwiftUI|UIKit)$' README.md Sources --include='*.md')
[ "${#pages[@]}" -gt 0 ] || { echo "FAILED: no page imports SwiftUI or UIKit" >&2; exit 1; }
modules=ComposableReducers,ComposableResources,DependencyDebugging,StandardDependencies
swift build --product documentation-blocks
"$(swift build --show-bin-path)/documentation-blocks" \
  "$root/Tests/Documentation/Context" "$package/Tests/ViewTests" "$modules" "${pages[@]/#/$root/}"
cp "$here"/Tests/*.swift "$package/Tests/ViewTests"

comments=()
for module in ComposableReducers IdentifiedArrays; do
  files=$(grep -lr '^ */// ```swift$' "$root/Sources/$module" --include='*.swift' | sort | paste -sd,)
  comments+=("$module:$files")
done
"$(swift build --show-bin-path)/documentation-blocks" \
  "$root/Tests/Documentation/Context" "$package/Sources/Comments" "" "${comments[@]}"
cp Tests/Documentation/CommentExamples/*.swift "$package/Sources/Comments"
ln -sfn ViewTests "$package/Tests/MainActorViewTests"

cat >"$package/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

func products(_ names: String) -> [Target.Dependency] {
  names.split(separator: ",").map {
    .product(name: String(\$0), package: "swift-composable-environment")
  }
}

func tests(_ name: String, _ settings: [SwiftSetting]) -> Target {
  .testTarget(name: name, dependencies: products("$modules,ComposableTesting"), swiftSettings: settings)
}

let package = Package(
  name: "views",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "swift-composable-environment", path: "$root")],
  targets: [
    tests("ViewTests", []),
    tests("MainActorViewTests", [.defaultIsolation(MainActor.self)]),
    .target(name: "Comments", dependencies: products("$modules,ComposableTesting")),
  ],
  swiftLanguageModes: [.v6]
)
END
swift test --package-path "$package" --scratch-path "$output/build" \
  -Xswiftc -warnings-as-errors "${flags[@]}"
