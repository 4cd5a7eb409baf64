import Foundation
import Testing

/// The house rules that a compiler doesn't check (docs/architecture.md).
struct SourceTests {
    /// What each target may import of ours. Arrows point down only, never sideways.
    static let mayImport: [String: Set<String>] = [
        "Perennial": [],
        "AppStoreFormats": ["Perennial"],
        "Spawning": ["CSpawning"],
        "OutboundHTTP": [],
        "PerennialStorage": ["Perennial", "CPostgreSQL", "Spawning"],
        "PerennialStore": ["Perennial", "AppStoreFormats", "PerennialStorage"],
        "PerennialConnect": ["Perennial", "AppStoreFormats", "PerennialStorage"],
        "PerennialDelivery": ["Perennial", "AppStoreFormats", "PerennialStorage"],
        "OpenStoreKit": ["Perennial", "AppStoreFormats", "OutboundHTTP"],
        "PerennialHTTP": [
            "Perennial", "AppStoreFormats", "OutboundHTTP", "PerennialStorage", "PerennialStore", "PerennialConnect",
            "PerennialDelivery",
        ],
        "PerennialSimulation": [
            "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
            "PerennialDelivery",
        ],
        "PerennialCommand": [
            "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
            "PerennialDelivery", "PerennialHTTP", "PerennialSimulation", "OpenStoreKit", "OutboundHTTP", "Spawning",
        ],
    ]

    @Test(arguments: mayImport.keys.sorted())
    func `imports point down`(target: String) throws {
        let allowed = try #require(Self.mayImport[target])
        let ours = Set(Self.mayImport.keys).union(["CPostgreSQL", "CSpawning"])
        let files = try SourceTree.swiftFiles(in: "Sources/\(target)")
        #expect(!files.isEmpty)
        for file in files {
            for module in Self.imports(of: file) where ours.contains(module) {
                #expect(allowed.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func `every target has its place in the direction of imports`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appendingPathComponent("Sources").path)
        #expect(Set(folders).subtracting(["CPostgreSQL", "CSpawning", ".DS_Store"]) == Set(Self.mayImport.keys))
    }

    @Test func `the rules import nothing but Foundation`() throws {
        for file in try SourceTree.swiftFiles(in: "Sources/Perennial") {
            for module in Self.imports(of: file) {
                #expect(module == "Foundation", "\(file.path) imports \(module)")
            }
        }
    }

    /// The clock and randomness come in at the command, and keys are made where certificates are; the client makes its own
    /// in one seam.
    static let seams: Set<String> = [
        "Sources/PerennialCommand", "Sources/AppStoreFormats/Certificates", "Sources/OpenStoreKit/Transport",
    ]

    @Test func `nothing reads the wall clock or makes randomness past the seams`() throws {
        let forbidden = try Regex(
            #"\bDate\(\)|\bDate\.now\b|ContinuousClock\(\)|SuspendingClock\(\)|\bUUID\(\)|\.random\("#)
        for file in try SourceTree.swiftFiles(in: "Sources")
        where !Self.seams.contains(where: { file.path.hasPrefix($0 + "/") }) {
            for (number, line) in file.lines.enumerated() where !Self.isComment(line) {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file.path):\(number + 1): \(line)")
            }
        }
    }

    @Test func `no escape hatches`() throws {
        let forbidden = try Regex(#"\btry!|\bas!|fatalError\(|@unchecked Sendable|nonisolated\(unsafe\)"#)
        for file in try SourceTree.swiftFiles(in: "Sources") {
            for (number, line) in file.lines.enumerated() where !Self.isComment(line) {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file.path):\(number + 1): \(line)")
            }
        }
    }

    /// The targets that read what comes from outside, or decide on it.
    private static let bounded = [
        "Perennial", "AppStoreFormats", "PerennialStore", "PerennialConnect", "PerennialDelivery", "PerennialHTTP",
        "OpenStoreKit",
    ]

    /// Forms that end the process for a number that doesn't fit, and what says instead what becomes of it.
    private static let trapping: [(form: String, instead: String)] = [
        (
            #"\b(Int(8|16|32)|UInt(8|16|32|64)?)\((?![a-zA-Z]+:|[0-9)]|.*radix:)"#,
            "exactly:, clamping: or truncatingIfNeeded:"
        ),
        (#"\bInt(64)?\((?![a-zA-Z]+:).*(\.rounded\(|timeInterval|Double\()"#, "nearest: or exactly:"),
        (#"\babs\("#, "magnitude"),
        (#"\.milliseconds [-+*] |[^&][-+*] [A-Za-z.]+\.milliseconds\b"#, "the operators of Instant, which are clamped"),
    ]

    @Test(arguments: bounded)
    func `numbers from outside are converted in forms that can't trap`(target: String) throws {
        let forms = try Self.trapping.map { (try Regex($0.form), $0.instead) }
        for file in try SourceTree.swiftFiles(in: "Sources/\(target)") {
            for (number, line) in file.lines.enumerated() where !Self.isComment(line) {
                for (form, instead) in forms {
                    #expect(line.firstMatch(of: form) == nil, "\(file.path):\(number + 1): \(line): use \(instead)")
                }
            }
        }
    }

    @Test(arguments: [
        (true, "Int64((date.timeIntervalSince1970 * 1000).rounded())"), (true, "Int(seconds.rounded())"),
        (true, "one.milliseconds - other.milliseconds"), (true, "limit + instant.milliseconds"),
        (true, "Int32(quantity)"), (true, "UInt64(rawValue)"), (true, "UInt8(-1 + x)"), (true, "abs(difference)"),
        (false, "Int64(exactly: number.rounded())"), (false, "Int64(nearest: date.timeIntervalSince1970)"),
        (false, "Int32(clamping: quantity)"), (false, "UInt64(0)"), (false, "UInt8(ascii: \"a\")"),
        (false, "until.milliseconds &- chargeAt.milliseconds"), (false, "UInt64(text, radix: 16)"),
    ])
    func `a form that traps is told from one that doesn't`(traps: Bool, line: String) throws {
        let isFound = try Self.trapping.contains { line.firstMatch(of: try Regex($0.form)) != nil }
        #expect(isFound == traps)
    }

    /// One place tells a client's half of a body from an error of ours.
    @Test func `bodies of requests are read in one place`() throws {
        for file in try SourceTree.swiftFiles(in: "Sources/PerennialHTTP")
        where !file.path.hasPrefix("Sources/PerennialHTTP/Outbound/") {
            let isPlace = file.path == "Sources/PerennialHTTP/Errors/JSONResponse.swift"
            let count = file.lines.filter { $0.contains("body.collect(") && !$0.contains("response.body") }.count
            #expect(count == (isPlace ? 1 : 0), "\(file.path)")
        }
    }

    @Test func `files stay small enough to hold in the head`() throws {
        for folder in ["Sources", "Tests"] {
            for file in try SourceTree.swiftFiles(in: folder) {
                #expect(file.lines.count <= 450, "\(file.path) has \(file.lines.count) lines")
            }
        }
    }

    @Test func `tests don't sleep`() throws {
        let forbidden = try Regex(#"Task\.sleep|usleep\(|Thread\.sleep|\bsleep\([0-9]|\.disabled\(|withKnownIssue"#)
        for file in try SourceTree.swiftFiles(in: "Tests") where !file.path.hasPrefix("Tests/RepositoryTests/") {
            for (number, line) in file.lines.enumerated() where !Self.isComment(line) {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file.path):\(number + 1): \(line)")
            }
        }
    }

    private static func isComment(_ line: String) -> Bool {
        line.drop { $0 == " " }.hasPrefix("//")
    }

    /// What a file imports.
    private static func imports(of file: SourceTree.File) -> [String] {
        let statement =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public\s+|package\s+|internal\s+)?import\s+(?:struct\s+|class\s+|enum\s+|func\s+|protocol\s+)?(\w+)/
        return file.lines.filter { $0.contains("import") }.compactMap { line in
            line.firstMatch(of: statement).map { String($0.1) }
        }
    }
}
