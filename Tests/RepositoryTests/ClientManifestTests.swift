import Testing

/// The targets and products behind a client that is built without default traits: no server, no database, no SwiftNIO.
struct ClientManifestTests {
    /// A target of the manifest, or a product of another package.
    private enum Dependency: Hashable {
        case target(String)
        case product(String, package: String)
    }

    /// A dependency, and the condition under which it is built.
    private struct Condition: Hashable {
        var dependency: Dependency
        var needsTrait: Bool
    }

    private struct UnknownForm: Error {
        var text: String
    }

    /// The dependencies of each target of Package.swift.
    private static let manifest = Result {
        let text = try SourceTree.project.file("Package.swift").lines
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        return try targets(of: text)
    }

    private static func targets(of manifest: String) throws -> [String: [Condition]] {
        var targets: [String: [Condition]] = [:]
        let blocks = manifest.split(
            separator: /\n {8}\.(?:target|executableTarget|testTarget|systemLibrary|binaryTarget|macro|plugin)\(/)
        for block in blocks.dropFirst() {
            guard let name = block.firstMatch(of: /name: ([^,)\s]+)/) else { throw UnknownForm(text: String(block)) }
            let list = block.split(separator: "dependencies: [", maxSplits: 1)
            targets[try Self.name(String(name.1))] =
                list.count < 2 ? [] : try entries(of: list[1]).map(dependency)
        }
        return targets
    }

    /// Returns the entries of a list, from behind its opening bracket.
    private static func entries(of list: Substring) throws -> [String] {
        var (entries, entry, depth) = ([String](), "", 0)
        for character in list {
            if depth == 0, character == "]" {
                return (entries + [entry]).map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
            }
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            if depth == 0, character == "," {
                entries.append(entry)
                entry = ""
            } else {
                entry.append(character)
            }
        }
        throw UnknownForm(text: String(list))
    }

    private static func dependency(_ entry: String) throws -> Condition {
        let needsTrait = entry.contains("condition:.when(traits:")
        if let match = entry.wholeMatch(of: /\.product\(name:"([^"]+)",package:"([^"]+)".*/) {
            let product = Dependency.product(String(match.1), package: String(match.2))
            return Condition(dependency: product, needsTrait: needsTrait)
        }
        if let match = entry.wholeMatch(of: /\.target\(name:([^,)]+).*/) ?? entry.wholeMatch(of: /("[^"]+")/) {
            return Condition(dependency: .target(try name(String(match.1))), needsTrait: needsTrait)
        }
        if let match = entry.wholeMatch(of: /\.init\(stringLiteral:([^)]+)\)/) {
            return Condition(dependency: .target(try name(String(match.1))), needsTrait: needsTrait)
        }
        throw UnknownForm(text: entry)
    }

    /// Returns the name that a literal or one of the manifest's constants stands for.
    private static func name(_ text: String) throws -> String {
        switch text {
        case "storeKit.client": return "StoreKit"
        case "storeKit.test": return "StoreKitTest"
        case _ where text.hasPrefix("\"") && text.hasSuffix("\""): return String(text.dropFirst().dropLast())
        default: throw UnknownForm(text: text)
        }
    }

    /// Returns what a target needs, directly or not, itself included.
    private static func closure(
        of target: String, in targets: [String: [Condition]], withTraits: Bool
    ) throws -> Set<Dependency> {
        var (found, open) = (Set<Dependency>(), [Dependency.target(target)])
        while let next = open.popLast() {
            guard found.insert(next).inserted, case .target(let name) = next else { continue }
            let dependencies = try #require(targets[name], "the manifest has no target \(name)")
            open += dependencies.filter { withTraits || !$0.needsTrait }.map(\.dependency)
        }
        return found
    }

    /// Targets and products of a client without default traits. Each further one makes the build of every app longer.
    private static let client: Set<Dependency> = [
        .target("OpenStoreKit"), .target("AppStoreFormats"), .target("Perennial"), .target("BaseEncoding"),
        .target("FastJSON"), .target("CZlib"),
        .product("Crypto", package: "swift-crypto"), .product("CryptoExtras", package: "swift-crypto"),
        .product("SwiftASN1", package: "swift-asn1"), .product("X509", package: "swift-certificates"),
        .product("HTTPTypes", package: "swift-http-types"), .product("Yams", package: "Yams"),
    ]

    @Test func `a client without traits has no server, database or SwiftNIO`() throws {
        let targets = try Self.manifest.get()
        #expect(try Self.closure(of: "OpenStoreKit", in: targets, withTraits: false) == Self.client)
        let storeKit = try Self.closure(of: "StoreKit", in: targets, withTraits: false)
        #expect(storeKit == Self.client.union([.target("StoreKit")]))
    }

    /// Proof that the closure sees what the check above forbids.
    @Test func `the trait and the test product bring what the client lacks`() throws {
        let targets = try Self.manifest.get()
        let sender = try Self.closure(of: "StoreKit", in: targets, withTraits: true)
        #expect(sender.contains(.product("AsyncHTTPClient", package: "async-http-client")))
        #expect(sender.contains(.product("NIOCore", package: "swift-nio")))
        let tests = try Self.closure(of: "StoreKitTest", in: targets, withTraits: false)
        #expect(tests.contains(.product("Hummingbird", package: "hummingbird")))
        #expect(tests.isSuperset(of: ["PerennialStore", "CPostgreSQL", "CSQLite"].map { .target($0) }))
    }

    @Test(arguments: [
        #".product(name: "NIOCore", package: "swift-nio")"#, #""OutboundHTTP""#, #".target(name: "OutboundHTTP")"#,
        #".target(name: "OutboundHTTP", condition: .when(platforms: [.linux]))"#,
    ])
    func `a dependency that is added to the client is found`(entry: String) throws {
        let text = try SourceTree.project.file("Package.swift").lines.joined(separator: "\n")
        let place = "name: \"FastJSON\", dependencies: ["
        try #require(text.contains(place))
        let targets = try Self.targets(of: text.replacing(place, with: "\(place)\(entry), "))
        #expect(try Self.closure(of: "StoreKit", in: targets, withTraits: false).subtracting(Self.client).count > 1)
    }

    /// The case without the trait: these modules aren't there, and builds that have it don't notice.
    @Test func `the client imports the sender's modules behind the trait only`() throws {
        let modules = /import (NIO\w*|AsyncHTTPClient|OutboundHTTP|Hummingbird\w*|Logging)\b/
        var guarded = 0
        for file in try SourceTree.swiftFiles(in: "Sources/OpenStoreKit") {
            var conditions: [String] = []
            for (number, line) in file.lines.enumerated() {
                let text = line.drop { $0 == " " }
                if text.hasPrefix("#if ") { conditions.append(String(text.dropFirst(4))) }
                if text.hasPrefix("#else") || text.hasPrefix("#elseif") { conditions[conditions.count - 1] = "" }
                if text.hasPrefix("#endif") { conditions.removeLast() }
                guard line.contains(modules) else { continue }
                #expect(conditions.contains("AsyncHTTPClient"), "\(file.path):\(number + 1): \(line)")
                guarded += 1
            }
        }
        #expect(guarded > 0)
    }
}
