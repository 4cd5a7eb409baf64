import Foundation
import Perennial
import PerennialDelivery
import TestSupport
import Testing

/// Uploaded content (docs/reference/seller-operations.md, "Uploaded content").
struct ContentUploadTests {
    private let folder: String
    private let library: ContentLibrary

    init() throws {
        folder = try TemporaryFolder.make()
        library = try ContentLibrary(root: folder)
    }

    private func chunks(_ parts: [String]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for part in parts { continuation.yield(Array(part.utf8)) }
            continuation.finish()
        }
    }

    @discardableResult
    private func add(_ parts: [String], as path: String) async throws -> ContentUpload {
        try await library.add(chunks(parts), as: path) { file in
            try file.place()
            return file
        }
    }

    @Test func `an uploaded file has its digest and is served from its path`() async throws {
        let added = try await add(["hel", "lo"], as: "uploads/app/pack/1.0/pack.zip")
        #expect(added.size == 5)
        #expect(added.hexDigest == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        let served = try await library.metadata(of: "uploads/app/pack/1.0/pack.zip")
        #expect(served.hexDigest == added.hexDigest)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left == ["uploads"])
    }

    @Test func `a placed upload replaces a file of its path`() async throws {
        _ = try await add(["one"], as: "uploads/a")
        try await library.add(chunks(["three"]), as: "uploads/a") { file in
            try file.place()
            try file.place()
        }
        #expect(try await library.metadata(of: "uploads/a").size == 5)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["uploads"])
    }

    @Test func `an upload that isn't placed leaves the file of its path`() async throws {
        struct Refused: Error {}
        _ = try await add(["one"], as: "uploads/a")
        await #expect(throws: Refused.self) {
            try await library.add(chunks(["three"]), as: "uploads/a") { _ in throw Refused() }
        }
        #expect(try await library.metadata(of: "uploads/a").size == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["uploads"])
    }

    @Test(arguments: ["../a", "/a", "a/../b", "", "a//b", ".hidden", "a/.b", "a\0"])
    func `an upload stays inside of the folder`(_ path: String) async {
        await #expect(throws: ContentLibraryError(.forbiddenPath, "", "")) {
            try await add(["x"], as: path)
        }
    }

    @Test func `a removal deletes nothing outside of the folder`() async throws {
        let outside = "\(folder)/outside"
        try Data("x".utf8).write(to: URL(filePath: outside))
        try FileManager.default.createDirectory(atPath: "\(folder)/content", withIntermediateDirectories: false)
        let content = try ContentLibrary(root: "\(folder)/content")
        for path in ["../outside", "uploads/../../outside", "/../outside"] { content.remove(path) }
        #expect(FileManager.default.fileExists(atPath: outside))
        try await add(["one"], as: "uploads/a")
        library.remove("uploads/a")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/uploads") == [])
    }

    @Test func `an upload that breaks off leaves nothing`() async throws {
        struct Broken: Error {}
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([1, 2, 3])
            continuation.finish(throwing: Broken())
        }
        await #expect(throws: Broken.self) { try await library.add(stream, as: "uploads/b") { try $0.place() } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
