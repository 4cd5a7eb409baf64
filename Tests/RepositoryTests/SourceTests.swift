import Foundation
import Testing

/// The house rules that a compiler doesn't check (docs/architecture.md).
struct SourceTests {
    /// What each target may import of ours. Arrows point down only, never sideways.
    static let mayImport: [String: Set<String>] = [
        "Perennial": [],
        "AppStoreFormats": ["Perennial"],
        "Spawning": ["CSpawning"],
        "PerennialStorage": ["Perennial", "CPostgreSQL", "Spawning"],
        "PerennialStore": ["Perennial", "AppStoreFormats", "PerennialStorage"],
        "PerennialConnect": ["Perennial", "AppStoreFormats", "PerennialStorage"],
        "PerennialDelivery": ["Perennial", "AppStoreFormats", "PerennialStorage"],
        "OpenStoreKit": ["Perennial", "AppStoreFormats"],
        "PerennialHTTP": [
            "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
            "PerennialDelivery",
        ],
        "PerennialSimulation": [
            "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
        ],
        "PerennialCommand": [
            "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
            "PerennialDelivery", "PerennialHTTP", "PerennialSimulation", "OpenStoreKit", "Spawning",
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
