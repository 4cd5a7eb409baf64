import Foundation
import PerennialDelivery
import TestSupport
import Testing

struct ContentLibraryTests {
    private let folder: String
    private let library: ContentLibrary

    init() throws {
        let parent = try TemporaryFolder.make()
        folder = "\(parent)/content"
        try FileManager.default.createDirectory(atPath: "\(folder)/2026", withIntermediateDirectories: true)
        try Data("outside".utf8).write(to: URL(filePath: "\(parent)/secret"))
        try FileManager.default.createDirectory(atPath: "\(parent)/content-not", withIntermediateDirectories: true)
        try Data("outside".utf8).write(to: URL(filePath: "\(parent)/content-not/secret"))
        try Data("hello".utf8).write(to: URL(filePath: "\(folder)/2026/issue"))
        library = try ContentLibrary(root: folder)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: target)
    }

    @Test func `a file's size and digest are told`() async throws {
        let facts = try await library.facts(of: "2026/issue")
        #expect(facts.size == 5)
        #expect(facts.hexDigest == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        #expect(facts.entityTag == "\"\(facts.hexDigest)\"")
    }

    @Test(arguments: [
        "../secret", "2026/../../secret", "/etc/passwd", "", "/", "2026/", "./2026/issue", "2026//issue", "2026",
        "2026/issue\0",
    ])
    func `a path that leads elsewhere is refused`(path: String) async {
        await #expect(throws: ContentLibraryError(.forbiddenPath, "", "")) { try await library.open(path) }
    }

    @Test(arguments: ["../secret", "/etc/passwd", "../content-not/secret", ".."])
    func `a link that leads out is not followed`(target: String) async throws {
        try link("link", to: target)
        let path = target == ".." ? "link/secret" : "link"
        await #expect(throws: ContentLibraryError(.forbiddenPath, "", "")) { try await library.open(path) }
    }

    @Test func `a link that stays inside is followed`() async throws {
        try link("current", to: "2026")
        #expect(try await library.facts(of: "current/issue").size == 5)
    }

    @Test func `a missing file is named`() async {
        await #expect(throws: ContentLibraryError(.fileNotFound, "", "")) { try await library.open("2026/none") }
    }

    @Test func `a folder that is none is refused at once`() {
        #expect(throws: ContentLibraryError(.noFolder, "", "")) { try ContentLibrary(root: "\(folder)/2026/issue") }
        #expect(throws: ContentLibraryError(.noFolder, "", "")) { try ContentLibrary(root: "\(folder)/none") }
    }

    @Test func `a changed file has another tag, and who reads the old one reads it to its end`() async throws {
        let old = try await library.open("2026/issue")
        try Data("HELLO, again".utf8).write(to: URL(filePath: "\(folder)/2026/issue"), options: .atomic)
        let new = try await library.facts(of: "2026/issue")
        #expect(new.entityTag != old.facts.entityTag)
        #expect(new.size == 12)
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = try bytes.withUnsafeMutableBytes { try old.read(into: $0, at: 0) }
        #expect(String(decoding: bytes[..<count], as: UTF8.self) == "hello")
    }
}
