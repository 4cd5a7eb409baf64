import Foundation
import Testing

/// A chapter of the store has one name in rules, use cases, tables and routes (docs/architecture.md).
struct ChapterTests {
    private static func folders(of layer: Chapter.Layer) throws -> Set<String> {
        let root = "Sources/\(layer.rawValue)/"
        return Set(
            try SourceTree.swiftFiles(in: "Sources/\(layer.rawValue)").compactMap { file in
                let parts = file.path.dropFirst(root.count).split(separator: "/")
                return parts.count > 1 ? String(parts[0]) : nil
            })
    }

    /// The files of `Control/` and `ServerAPI/` that register routes, without their suffix.
    private static func routes() throws -> [String] {
        try SourceTree.swiftFiles(in: "Sources/PerennialHTTP").filter {
            ["/Control/", "/ServerAPI/"].contains(where: $0.path.contains)
        }.compactMap { $0.path.split(separator: "/").last?.split(separator: ".").first.map(String.init) }
            .filter { $0.hasSuffix("Routes") || $0.hasSuffix("Endpoints") }
    }

    /// True if a file of routes, or a part of a protocol, has a chapter's name.
    private static func isNamed(_ file: String, after chapter: Chapter) -> Bool { file.hasPrefix(chapter.routesName) }

    @Test(arguments: [Chapter.Layer.rules, .store, .storage])
    func `the folders of a layer are the chapters that it has`(layer: Chapter.Layer) throws {
        let folders = try Self.folders(of: layer)
        let chapters = Set(Chapter.all.filter { $0.missing[layer] == nil }.map(\.name))
        let others = Set(Chapter.otherFolders[layer, default: [:]].keys)
        #expect(chapters.isDisjoint(with: others))
        #expect(folders.subtracting(others) == chapters)
        #expect(others.subtracting(folders) == [])
    }

    @Test func `a chapter has routes under its name`() throws {
        let (routes, folders) = (try Self.routes(), try Self.folders(of: .http))
        let inside = try SourceTree.swiftFiles(in: "Sources/PerennialHTTP/Control").compactMap { file in
            file.folder.split(separator: "/").last.map(String.init)
        }
        for chapter in Chapter.all {
            let exists =
                routes.contains { Self.isNamed($0, after: chapter) } || folders.contains(chapter.name)
                || inside.contains(chapter.name)
            #expect(exists == (chapter.missing[.http] == nil), "\(chapter.name)")
        }
        let others = Set(Chapter.otherFolders[.http, default: [:]].keys)
        #expect(folders.subtracting(others).subtracting(Chapter.all.map(\.name)) == [])
        #expect(others.subtracting(folders) == [])
    }

    @Test func `a file of routes has a chapter's name`() throws {
        let routes = try Self.routes()
        #expect(routes.count > 30)
        let unnamed = Set(routes.filter { file in !Chapter.all.contains { Self.isNamed(file, after: $0) } })
        #expect(unnamed == Set(Chapter.otherRoutes.keys))
    }

    @Test func `chapters are listed once, in order, and missing in a layer for a reason`() {
        let names = Chapter.all.map(\.name)
        #expect(names == Set(names).sorted())
        for chapter in Chapter.all {
            #expect(chapter.missing.count < Chapter.Layer.allCases.count, "\(chapter.name)")
            #expect(chapter.missing.values.allSatisfy { $0.hasSuffix(".") }, "\(chapter.name)")
        }
    }
}
