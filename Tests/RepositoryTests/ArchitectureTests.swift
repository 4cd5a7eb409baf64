import Foundation
import Testing

/// The rules of the architecture that a compiler doesn't check (docs/architecture.md).
struct ArchitectureTests {
    // MARK: - Imports

    /// The project's own modules that each target may import, as the table of docs/architecture.md lists them.
    private static let table = Result {
        let page = try SourceTree.project.file("docs/architecture.md")
        var table: [String: Set<String>] = [:]
        let section = page.lines.drop { $0 != "## Targets" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        for line in section where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { cell in
                Set(cell.matches(of: /`(\w+)`/).map { String($0.1) })
            }
            guard cells.count == 3 else { continue }
            for target in cells[0] { table[target] = cells[2] }
        }
        return table
    }

    /// The modules and products that each target of Package.swift names as dependencies, by the folder of the target.
    private static let manifest = Result {
        let text = try SourceTree.project.file("Package.swift").lines.joined(separator: "\n")
        var dependencies: [String: Set<String>] = [:]
        for block in text.split(separator: /\n {8}\.(?:target|executableTarget|testTarget|systemLibrary)\(/).dropFirst()
        {
            let path = block.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
            let written = block.firstMatch(of: /name: "(\w+)"/).map { String($0.1) }
            // A name that depends on the platform is that of its folder.
            guard let name = written ?? path?.split(separator: "/").last.map(String.init) else { continue }
            let folder = path ?? (name.hasSuffix("Tests") ? "Tests/\(name)" : "Sources/\(name)")
            dependencies[folder] = Set(block.matches(of: /"(\w+)"/).map { String($0.1) })
            // The modules under Apple's names, which the manifest names by platform.
            for (variable, module) in [("storeKit.client", "StoreKit"), ("storeKit.test", "StoreKitTest")]
            where block.contains(variable) {
                dependencies[folder, default: []].insert(module)
            }
        }
        return dependencies
    }

    private static let targets = (try? table.get().keys.sorted()) ?? []

    @Test(arguments: targets)
    func `a target imports only what the architecture page allows`(target: String) throws {
        let table = try Self.table.get()
        let allowed = try #require(table[target])
        let files = try SourceTree.swiftFiles(in: "Sources/\(target)")
        // The targets in C have no Swift files.
        #expect(!files.isEmpty || target.hasPrefix("C"))
        for file in files {
            for module in Self.imports(of: file) where table[module] != nil && module != target {
                #expect(allowed.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func `imports don't go in circles`() throws {
        var left = try Self.table.get()
        while let free = left.first(where: { $0.value.isDisjoint(with: left.keys) }) { left[free.key] = nil }
        #expect(left.keys.sorted() == [])
    }

    @Test func `every target is on the architecture page`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.project.root.appending(path: "Sources").path)
        #expect(Set(folders).subtracting([".DS_Store"]) == Set(try Self.table.get().keys))
    }

    @Test func `every import of our modules is declared in the manifest`() throws {
        let (manifest, modules) = (try Self.manifest.get(), Set(try Self.table.get().keys))
        #expect(manifest.count > 20)
        for file in try ["Sources", "Tests", "Benchmarks"].flatMap(SourceTree.swiftFiles) {
            let folder = manifest.keys.filter { file.path.hasPrefix($0 + "/") }.max { $0.count < $1.count }
            let declared = try #require(folder.flatMap { manifest[$0] }, "\(file.path) belongs to no target")
            for module in Self.imports(of: file) where modules.contains(module) {
                #expect(declared.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func `the rules import nothing but Foundation`() throws {
        for file in try SourceTree.swiftFiles(in: "Sources/Perennial") {
            for module in Self.imports(of: file) {
                #expect(module == "Foundation", "\(file.path) imports \(module)")
            }
        }
    }

    // MARK: - Clock, randomness, traps

    /// The folders that may read the real clock and make randomness: the command, the certificates' keys, and the client's
    /// device dependencies.
    static let seams: Set<String> = [
        "Sources/PerennialCommand", "Sources/AppStoreFormats/Certificates", "Sources/OpenStoreKit/Transport",
        // Numbers that nodes draw without each other, and that nothing keeps: real ones replace them before the commit.
        "Sources/PerennialStorage/PostgreSQL/ProvisionalPositions.swift",
    ]

    @Test func `the real clock and randomness enter in their few places only`() throws {
        let forbidden = try Regex(
            #"\bDate\(\)|\bDate\.now\b|ContinuousClock\(\)|SuspendingClock\(\)|\bUUID\(\)|\.random\("#)
        let parts = ["Date()", "Date.now", "Clock()", "UUID()", ".random("]
        for file in try SourceTree.swiftFiles(in: "Sources")
        where file.contains(anyOf: parts)
            && !Self.seams.contains(where: { file.path == $0 || file.path.hasPrefix($0 + "/") })
        {
            for (number, line) in file.lines.enumerated() where !Self.isComment(line) {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file.path):\(number + 1): \(line)")
            }
        }
    }

    @Test func `no forced casts, traps or unchecked concurrency`() throws {
        let forbidden = try Regex(#"\btry!|\bas!|fatalError\(|@unchecked Sendable|nonisolated\(unsafe\)"#)
        // Apple's classes: open and Sendable, with state that is private, and immutable or behind a mutex.
        let open = try Regex(#"^ *open class \w+: \w+, @unchecked Sendable \{$"#)
        let parts = ["try!", "as!", "fatalError(", "@unchecked", "(unsafe)"]
        for file in try SourceTree.swiftFiles(in: "Sources")
        where file.contains(anyOf: parts) && Exceptions.unchecked[file.path] == nil {
            for (number, line) in file.lines.enumerated()
            where !Self.isComment(line) && line.firstMatch(of: open) == nil {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file.path):\(number + 1): \(line)")
            }
        }
    }

    /// The targets that read or process input from outside.
    private static let bounded = [
        "Perennial", "AppStoreFormats", "PerennialStore", "PerennialConnect", "PerennialDelivery", "PerennialHTTP",
        "OpenStoreKit", "FastJSON", "BaseEncoding",
    ]

    /// The conversions that trap on a number that doesn't fit, with the safe form.
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
    func `numbers from outside are converted without traps`(target: String) throws {
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
    func `conversions that trap are recognised`(traps: Bool, line: String) throws {
        let isFound = try Self.trapping.contains { line.firstMatch(of: try Regex($0.form)) != nil }
        #expect(isFound == traps)
    }

    /// Bytes as hexadecimal digits, and the digits as bytes, written by hand; Foundation's decoder of base64, which accepts
    /// other spellings than encoding writes; its alphabet exchanged by that for URLs.
    private static let bytesByHand =
        #"format: "%02[xX]"|0123456789abcdef|UInt8\([^()]*radix: 16|String\((\$0|byte)\b[^()]*radix: 16|hexDigitValue"#
        + #"|addingPercentEncoding|base64Encoded:|"\+", with: "-"|"-", with: "\+"|wxyz0123456789(\+/|-_)""#

    @Test func `bytes become text and text bytes in BaseEncoding only`() throws {
        let forms = try Regex(Self.bytesByHand)
        var needed: Set<String> = []
        for file in try SourceTree.swiftFiles(in: "Sources")
        where file.contains(anyOf: ["radix: 16", "%02", "0123456789abcdef", "base64Encoded:", "addingPercentEncoding"])
        {
            for (number, line) in file.lines.enumerated()
            where !Self.isComment(line) && line.firstMatch(of: forms) != nil {
                let exception = Exceptions.bytesAsText.keys.first { file.path.hasPrefix($0) }
                #expect(exception != nil, "\(file.path):\(number + 1): \(line)")
                if let exception { needed.insert(exception) }
            }
        }
        #expect(needed == Set(Exceptions.bytesAsText.keys))
    }

    @Test(arguments: [
        (true, #"bytes.map { String(format: "%02x", $0) }"#), (true, "String($0, radix: 16)"),
        (true, "UInt8(pair, radix: 16)"), (true, "$0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)"),
        (true, #"Array("0123456789abcdef")"#), (true, "Data(base64Encoded: text)"),
        (true, "String(byte, radix: 16, uppercase: true)"), (false, "UInt64(text, radix: 16)"),
        (true, "digits.compactMap(\\.hexDigitValue)"), (true, #"text.replacingOccurrences(of: "-", with: "+")"#),
        (true, #"text.replacing("+", with: "-")"#), (true, #""abcdefghijklmnopqrstuvwxyz0123456789-_""#),
        (false, #"locale.replacing("-", with: "_")"#), (false, "String(scalar.value, radix: 16)"),
        (false, "bytes.base64EncodedString()"),
    ])
    func `bytes that are encoded by hand are recognised`(isByHand: Bool, line: String) throws {
        #expect((line.firstMatch(of: try Regex(Self.bytesByHand)) != nil) == isByHand)
    }

    /// One place distinguishes a client that stops sending from a server error.
    @Test func `bodies of requests are read in one place`() throws {
        for file in try SourceTree.swiftFiles(in: "Sources/PerennialHTTP")
        where !file.path.hasPrefix("Sources/PerennialHTTP/Outbound/") {
            let isPlace = file.path == "Sources/PerennialHTTP/Errors/JSONResponse.swift"
            let count = file.lines.filter { $0.contains("body.collect(") && !$0.contains("response.body") }.count
            #expect(count == (isPlace ? 1 : 0), "\(file.path)")
        }
    }

    @Test func `files have at most 450 lines`() throws {
        for folder in ["Sources", "Tests"] {
            for file in try SourceTree.swiftFiles(in: folder) {
                #expect(file.lines.count <= 450, "\(file.path) has \(file.lines.count) lines")
            }
        }
    }

    @Test func `tests don't sleep`() throws {
        let forbidden = try Regex(#"Task\.sleep|usleep\(|Thread\.sleep|\bsleep\([0-9]|\.disabled\(|withKnownIssue"#)
        for file in try SourceTree.swiftFiles(in: "Tests")
        where file.contains(anyOf: ["sleep", ".disabled(", "withKnownIssue"])
            && !file.path.hasPrefix("Tests/RepositoryTests/")
        {
            for (number, line) in file.lines.enumerated() where !Self.isComment(line) {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file.path):\(number + 1): \(line)")
            }
        }
    }

    private static func isComment(_ line: String) -> Bool {
        line.drop { $0 == " " }.hasPrefix("//")
    }

    /// Returns the modules that a file imports.
    private static func imports(of file: SourceTree.File) -> [String] {
        let statement =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public\s+|package\s+|internal\s+)?import\s+(?:struct\s+|class\s+|enum\s+|func\s+|protocol\s+)?(\w+)/
        return file.lines.filter { $0.contains("import") }.compactMap { line in
            line.firstMatch(of: statement).map { String($0.1) }
        }
    }
}
