import Foundation
import Testing

/// The boundaries inside targets: the parts that a store chapter may use, and the groups that routes are registered in.
struct BoundaryTests {
    // MARK: - Store chapters

    /// The chapters that each chapter of the store holds as properties, by the source.
    private static let chapters = Result {
        let files = try SourceTree.swiftFiles(in: "Sources/PerennialStore")
        let declaration = /^(?:package )?struct (\w+): StoreChapter\b/
        var properties: [String: Set<String>] = [:]
        for file in files {
            var chapter: String?
            for line in file.lines {
                if line.contains(": StoreChapter"), let match = line.firstMatch(of: declaration) {
                    chapter = String(match.1)
                    properties[String(match.1)] = []
                } else if line == "}" {
                    chapter = nil
                } else if let chapter, let match = line.firstMatch(of: /^ {4}(?:private )?let \w+: (\w+)$/) {
                    properties[chapter]?.insert(String(match.1))
                }
            }
        }
        return properties.mapValues { $0.intersection(properties.keys) }
    }

    @Test func `the architecture page lists the chapters of the store`() throws {
        let page = try SourceTree.project.file("docs/architecture.md")
        let section = page.lines.drop { $0 != "## Store chapters" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        var listed: [String: Set<String>] = [:]
        for line in section where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            let names = cells.map { cell in Set(cell.matches(of: /`(\w+)`/).map { String($0.1) }) }
            guard names.count == 3, let chapter = names.first?.first else { continue }
            listed[chapter] = names.last
        }
        let chapters = try Self.chapters.get()
        #expect(chapters.count > 15)
        #expect(Set(listed.keys) == Set(chapters.keys))
        for (chapter, used) in chapters.sorted(by: { $0.key < $1.key }) {
            #expect(listed[chapter] == used, "\(chapter) uses \(used.sorted().joined(separator: ", "))")
        }
    }

    @Test func `a chapter reaches other chapters only through its properties`() throws {
        for file in try SourceTree.swiftFiles(in: "Sources/PerennialStore")
        where !["Store.swift", "StoreRegistry.swift"].contains(file.path.split(separator: "/").last) {
            let makes = file.lines.filter {
                ($0.contains("Store(") || $0.contains(": Store")) && $0.contains(/\bStore\(|: Store\b(?!\.)/)
            }
            let isRegistry = file.folder.hasSuffix("/Environments")
            #expect(isRegistry || makes.isEmpty, "\(file.path) uses the whole store")
        }
    }

    // MARK: - Routes

    /// The files that register routes for every sender: status, certificates, verifyReceipt, sign-in, product lists, signed
    /// links.
    private static let open: Set<String> = [
        "Server/PerennialRouter.swift", "Server/ProcessRoutes.swift", "Metrics/MetricsRoute.swift",
        "Certificates/CertificateRoutes.swift", "VerifyReceipt/VerifyReceiptRoute.swift", "Store/StoreRoutes.swift",
        "ContentDelivery/DeliveryRoutes.swift", "Routing/RouteGroup.swift",
        "Connect/Resources/Reports/AnalyticsFileRoute.swift", "Connect/Resources/Review/AssetRoutes.swift",
    ]

    private static func routes() throws -> [(name: String, lines: [String])] {
        try SourceTree.swiftFiles(in: "Sources/PerennialHTTP").map { file in
            (String(file.path.dropFirst("Sources/PerennialHTTP/".count)), file.lines)
        }
    }

    @Test func `routes without authentication are in their few files`() throws {
        for (name, lines) in try Self.routes() where !Self.open.contains(name) {
            for line in lines {
                #expect(!line.contains("RouteGroup<BasicConnectionContext>"), "\(name): \(line)")
                #expect(!line.contains("some RouterMethods<BasicConnectionContext>"), "\(name): \(line)")
            }
        }
    }

    @Test func `control routes are in the group of the control token`() throws {
        let files = try Self.routes().filter { $0.name.hasPrefix("Control/") }
        #expect(files.count > 10)
        for (name, lines) in files {
            for line in lines where line.contains("RouteGroup<") {
                #expect(line.contains("RouteGroup<ControlContext>"), "\(name): \(line)")
            }
            #expect(!lines.contains { $0.contains(/\brouter\.(get|post|put|delete|on)\(/) }, "\(name)")
        }
    }

    @Test func `Server API routes are in the group of an authenticated seller`() throws {
        let files = try Self.routes().filter { $0.name.hasPrefix("ServerAPI/") }
        let registering = files.filter { $0.lines.contains { $0.contains(/\brouter\.(get|post|put|delete|on)\(/) } }
        #expect(registering.count > 3)
        for (name, lines) in registering {
            let methods = lines.filter { $0.contains("RouterMethods<") || $0.contains("RouterGroup<") }
            #expect(!methods.isEmpty, "\(name)")
            for line in methods { #expect(line.contains("SellerContext"), "\(name): \(line)") }
        }
    }

    @Test func `routes run no SQL`() throws {
        for file in try SourceTree.swiftFiles(in: "Sources/PerennialHTTP")
        where file.contains(anyOf: ["SQL(", "Table.", "any Connection"]) {
            for line in file.lines where !line.contains("//") {
                #expect(!line.contains(/\bSQL\(|\w+Table\.[a-z]|\bany Connection\b/), "\(file.path): \(line)")
            }
        }
    }

    @Test func `credentials are checked in middleware, not in routes`() throws {
        for (name, lines) in try Self.routes() where !name.hasPrefix("Routing/") && !name.hasPrefix("ServerAPI/") {
            for line in lines where !line.contains("//") {
                #expect(!line.contains("bearerToken()"), "\(name): \(line)")
            }
        }
    }
}
