import BaseEncoding
import Crypto
import Foundation
import OpenStoreKit
import TestRandomness
import Testing

/// Downloads from a real server with broken connections.
struct DownloadTests {
    let device: Device
    let file: ServedFile
    let server: FileServer
    let bytes: [UInt8]

    init() async throws {
        var generator = SeededGenerator(seed: 17)
        self.bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        self.device = try Device()
        self.file = ServedFile(bytes)
        self.server = try await FileServer(file)
    }

    private var destination: URL { device.folder.appendingPathComponent("issue.bin") }

    private func sha256(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(data: bytes)) }

    private func client() throws -> DeliveryClient {
        DeliveryClient(
            baseURL: try #require(server.url), bundleID: "com.example.magazine", files: device.files,
            transport: NetworkTransport.make(), dependencies: .test())
    }

    private func download(to destination: URL? = nil, sha256 digest: String? = nil, token: String = "grant") throws
        -> ContentDownload
    {
        let content = GrantedContent(
            contentId: "issue", productId: "p", transactionId: "1", path: "/delivery/v1/content/issue",
            size: Int64(bytes.count), sha256: digest ?? sha256(bytes))
        let grant = DeliveryGrant(token: token, expires: .distantFuture, content: [content])
        return try client().download(content, grant: grant, to: destination ?? self.destination)
    }

    /// Downloads the beginning of the file, and stops when it is on the disk. A broken connection may lose what its reader hasn't
    /// taken yet.
    private func downloadPart(bytes count: Int) async throws {
        file.set {
            $0.cuts = [count]
            $0.stalls = true
        }
        let download = try download()
        download.start()
        for await update in download.updates() where update.received >= Int64(count) {
            download.pause()
            break
        }
        await download.idle()
        file.set {
            $0.stalls = false
            $0.ranges = []
        }
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: device.folder.path).filter { $0.contains("issue") }
    }

    @Test func `a complete file leaves no other files`() async throws {
        let download = try download()
        #expect(try await download.finished() == destination)
        #expect(try Data(contentsOf: destination) == Data(bytes))
        #expect(try files() == ["issue.bin"])
        #expect(download.progress == 1)
        #expect(download.contentURL == destination)
    }

    @Test func `a download broken 100 times at random resumes and completes`() async throws {
        var generator = SeededGenerator(seed: 42)
        for round in 0..<100 {
            let place = Int.random(in: 1..<bytes.count, using: &generator)
            file.set {
                $0.cuts = [place]
                $0.ranges = []
            }
            try? FileManager.default.removeItem(at: destination)
            _ = try await download().finished()
            #expect(try Data(contentsOf: destination) == Data(bytes), "round \(round), cut at \(place)")
            let second = try #require(file.ranges.last ?? nil, "round \(round): not resumed")
            // What arrived is kept: it resumes at the cut or, where the last bytes were lost with the connection,
            // before.
            let start = try #require(Int(second.dropFirst(6).dropLast()))
            #expect(start > 0 && start <= place, "round \(round): \(start) of \(place)")
        }
    }

    @Test func `a download resumes after the end of its process`() async throws {
        try await downloadPart(bytes: 70_000)
        #expect(try files().sorted() == [".issue.bin.part", ".issue.bin.part.json"])
        let next = try download()
        #expect(next.current.received == 70_000)
        _ = try await next.finished()
        #expect(file.ranges == ["bytes=70000-"])
        #expect(try Data(contentsOf: destination) == Data(bytes))
    }

    @Test func `a part of an earlier version of the library is continued under its new name`() async throws {
        try await downloadPart(bytes: 70_000)
        for ending in ["part", "part.json"] {
            try FileManager.default.moveItem(
                at: device.folder.appendingPathComponent(".issue.bin.\(ending)"),
                to: destination.appendingPathExtension(ending))
        }
        _ = try await download().finished()
        #expect(file.ranges == ["bytes=70000-"])
        #expect(try files() == ["issue.bin"])
        #expect(try Data(contentsOf: destination) == Data(bytes))
    }

    @Test(arguments: [".part", ".part.json"])
    func `a file that is named as an earlier version's part stays`(ending: String) async throws {
        let other = destination.appendingPathExtension(String(ending.dropFirst()))
        try Data("other".utf8).write(to: other)
        _ = try await download().finished()
        #expect(try Data(contentsOf: destination) == Data(bytes))
        #expect(try Data(contentsOf: other) == Data("other".utf8))
    }

    @Test func `a download without progress gives up`() async throws {
        file.set { $0.cuts = Array(repeating: 0, count: 50) }
        await #expect(throws: DeliveryError.self) { try await download().finished() }
        #expect(file.ranges.count == 5)
    }

    @Test func `a file that changed on the server starts over`() async throws {
        let newer = Array(bytes.reversed()) + [1, 2, 3]
        file.set {
            $0.cuts = [50_000]
            $0.next = (newer, "\"v2\"")
            $0.digest = "sha-256=:\(Data(SHA256.hash(data: newer)).base64EncodedString()):"
        }
        _ = try await download().finished()
        #expect(try Data(contentsOf: destination) == Data(newer))
    }

    @Test func `a weak ETag is not resumed`() async throws {
        file.set {
            $0.etag = "W/\"v1\""
            $0.cuts = [50_000]
        }
        _ = try await download().finished()
        #expect(file.ranges == [nil, nil])
    }

    @Test func `a server without ranges sends all again`() async throws {
        file.set {
            $0.takesRanges = false
            $0.cuts = [50_000]
        }
        _ = try await download().finished()
        #expect(try Data(contentsOf: destination) == Data(bytes))
    }

    @Test func `a file with a wrong digest never reaches its destination`() async throws {
        let download = try download(sha256: sha256([1]))
        await #expect { try await download.finished() } throws: { ($0 as? DeliveryError)?.code == .digestMismatch }
        #expect(try files().isEmpty)
        #expect(download.state == .failed)
    }

    @Test func `a damaged part is downloaded again`() async throws {
        try await downloadPart(bytes: 100_000)
        let part = device.folder.appendingPathComponent(".issue.bin.part")
        var damaged = try Data(contentsOf: part)
        damaged[10] ^= 1
        try damaged.write(to: part)
        _ = try await download().finished()
        #expect(try Data(contentsOf: destination) == Data(bytes))
    }

    @Test func `a request to a busy server is retried`() async throws {
        file.set { $0.statuses = [503, 429, 500] }
        _ = try await download().finished()
        #expect(file.ranges.count == 4)
    }

    @Test func `a download without a grant fails at once`() async throws {
        await #expect { try await download(token: "no").finished() } throws: {
            ($0 as? DeliveryError)?.code == .unauthorized
        }
        #expect(file.ranges.count == 1)
    }

    @Test func `a missing folder has its code`() async throws {
        let nowhere = URL(fileURLWithPath: device.folder.path + "/device.folder.missing/file/x")
        try Data().write(to: device.folder.appendingPathComponent("device.folder.missing"))
        await #expect { try await download(to: nowhere).finished() } throws: {
            [.fileSystem, .permissionDenied].contains(($0 as? DeliveryError)?.code)
        }
    }

    @Test func `a paused download continues, and a cancelled one leaves no files`() async throws {
        file.set { $0.cuts = [50_000, 0, 0, 0, 0] }
        let download = try download()
        var isPaused = false
        download.start()
        for await update in download.updates() {
            if update.received > 0, !isPaused {
                isPaused = true
                download.pause()
                break
            }
        }
        await download.idle()
        #expect(download.state == .paused || download.state == .failed)
        file.set { $0.cuts = [] }
        download.resume()
        #expect(try await download.finished() == destination)

        try FileManager.default.removeItem(at: destination)
        file.set { $0.cuts = [50_000, 0, 0, 0, 0, 0] }
        let other = try self.download()
        await #expect(throws: DeliveryError.self) { try await other.finished() }
        other.cancel()
        await other.idle()
        #expect(other.state == .cancelled)
        #expect(try files().isEmpty)
    }

    #if os(Linux)
        @Test func `a disk that is full in the middle has its code, and keeps what was there`() async throws {
            // A part that is /dev/full: its length is that of the link, and the first write fails with ENOSPC.
            let part = device.folder.appendingPathComponent(".issue.bin.part").path
            try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "/dev/full")
            let note =
                #"{"contentId": "issue", "size": \#(bytes.count), "sha256": "\#(sha256(bytes))", "etag": "\"v1\""}"#
            try Data(note.utf8).write(to: URL(fileURLWithPath: part + ".json"))
            await #expect { try await download().finished() } throws: { ($0 as? DeliveryError)?.code == .diskFull }
            #expect(file.ranges == ["bytes=9-"])
            #expect(try files().sorted() == [".issue.bin.part", ".issue.bin.part.json"])
        }
    #endif
}
