import Crypto
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

    @Test func `a file has its size and digest`() async throws {
        let metadata = try await library.metadata(of: "2026/issue")
        #expect(metadata.size == 5)
        #expect(metadata.hexDigest == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        #expect(metadata.entityTag == "\"\(metadata.hexDigest)\"")
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
        #expect(try await library.metadata(of: "current/issue").size == 5)
    }

    @Test func `a missing file is named`() async {
        await #expect(throws: ContentLibraryError(.fileNotFound, "", "")) { try await library.open("2026/none") }
    }

    @Test func `a missing folder is refused`() {
        #expect(throws: ContentLibraryError(.noFolder, "", "")) { try ContentLibrary(root: "\(folder)/2026/issue") }
        #expect(throws: ContentLibraryError(.noFolder, "", "")) { try ContentLibrary(root: "\(folder)/none") }
    }

    @Test func `a changed file has another ETag, and open files stay readable`() async throws {
        let old = try await library.open("2026/issue")
        try Data("HELLO, again".utf8).write(to: URL(filePath: "\(folder)/2026/issue"), options: .atomic)
        let new = try await library.metadata(of: "2026/issue")
        #expect(new.entityTag != old.metadata.entityTag)
        #expect(new.size == 12)
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = try bytes.withUnsafeMutableBytes { try old.read(into: $0, at: 0) }
        #expect(String(decoding: bytes[..<count], as: UTF8.self) == "hello")
    }

    // MARK: Digests

    /// A false digest, which proves that the file was not read.
    private static let planted = String(repeating: "ab", count: 32)

    /// Replaces all cached digests by false ones.
    private func plant(in path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            let text = line.split(separator: " ").dropLast(2).joined(separator: " ") + " " + Self.planted
            let check = SHA256.hash(data: Data(text.utf8)).prefix(4).map {
                String(Int($0) | 0x100, radix: 16).dropFirst()
            }
            return "\(text) \(check.joined())\n"
        }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `a digest stays cached over processes until the file changes`() async throws {
        let kept = "\(folder)-digests"
        let metadata = try await ContentLibrary(root: folder, digests: kept).metadata(of: "2026/issue")
        #expect(try await ContentLibrary(root: folder, digests: kept).metadata(of: "2026/issue") == metadata)
        try plant(in: kept)
        let read = try await ContentLibrary(root: folder, digests: kept).metadata(of: "2026/issue")
        #expect(read.hexDigest == Self.planted, "the file was read again")
        // Other bytes, and the same size and date as before.
        let path = "\(folder)/2026/issue"
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        try Data("HELLO".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: path)
        let library = try ContentLibrary(root: folder, digests: kept)
        let changed = try await library.metadata(of: "2026/issue")
        #expect(changed.hexDigest == "3733cd977ff8eb18b987357e22ced99f46097f31ecb239e878ae63760e83e4d5")
        #expect(try await ContentLibrary(root: folder, digests: kept).metadata(of: "2026/issue") == changed)
    }

    @Test(arguments: ["", "no line\n", "1 2 3 4 5 6 7 abcd 12345678\n", "\u{0}\u{1}"])
    func `an unreadable cache of digests is ignored`(text: String) async throws {
        let kept = "\(folder)-digests"
        let metadata = try await ContentLibrary(root: folder, digests: kept).metadata(of: "2026/issue")
        var bytes = try String(contentsOfFile: kept, encoding: .utf8)
        bytes.removeLast(10)
        try (text + bytes).write(toFile: kept, atomically: true, encoding: .utf8)
        #expect(try await ContentLibrary(root: folder, digests: kept).metadata(of: "2026/issue") == metadata)
        #expect(try String(contentsOfFile: kept, encoding: .utf8).split(separator: "\n").count == 1)
    }

    @Test func `many files are described in parallel, also with a missing one`() async throws {
        for number in 0..<40 {
            try Data("issue \(number)".utf8).write(to: URL(filePath: "\(folder)/\(number)"))
        }
        let paths = (0..<41).map(String.init)
        let found = await library.metadata(of: paths + paths)
        #expect(found.count == 41)
        for path in paths.dropLast() { #expect(try found[path]?.get() == (try await library.metadata(of: path))) }
        #expect(throws: ContentLibraryError(.fileNotFound, "", "")) { try found["40"]?.get() }
    }
}
