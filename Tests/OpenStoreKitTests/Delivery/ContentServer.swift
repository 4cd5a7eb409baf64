import BaseEncoding
import Crypto
import Foundation
import HTTPTypes
import OpenStoreKit
import Synchronization

/// A content server in memory, with faults. Speaks delivery/v1.
final class ContentServer: Transport {
    struct File {
        var bytes: [UInt8]
        var productID: String
        var transactionID: String
        var filename: String?
        var version = "1"
        /// Size that grants promise; `nil` for the file's own.
        var promisedSize: Int64?
        var sha256: String { Hexadecimal.encode(SHA256.hash(data: bytes)) }

        var headers: HTTPFields {
            let digest = Data(SHA256.hash(data: bytes)).base64EncodedString()
            return [.eTag: "\"\(sha256)\"", HTTPField.Name("Repr-Digest")!: "sha-256=:\(digest):"]
        }
    }

    struct State {
        var files: [String: File] = [:]
        /// Transactions that the next grants name as revoked.
        var revoked: Set<String> = []
        /// Transactions that only grants for a certain receipt know.
        var onlyInReceipt: [String: Data] = [:]
        /// Numbers of body bytes after which a connection breaks, one for each download.
        var cuts: [Int] = []
        /// Statuses of the next answers to downloads.
        var statuses: [Int] = []
        var isAway = false
        /// Tokens that are in force.
        var tokens: Set<String> = []
        var nextToken = 1
        var grants = 0
        /// Requested content and `Range` of each download.
        var downloads: [(id: String, range: String?)] = []
        /// Downloads that are held until ``ContentServer/release(_:)``, by content.
        var held: [String: [CheckedContinuation<Void, Never>]] = [:]
        /// Downloads of a content that still pass.
        var holds: [String: Int] = [:]
        var running = 0
        var mostRunning = 0
        /// True to send bodies that differ from their digests.
        var damagesBodies = false
    }

    let state = Mutex(State())

    func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    var downloads: [(id: String, range: String?)] { state.withLock { $0.downloads } }

    /// Makes a client of this server.
    func client(_ dependencies: DeviceDependencies = .test()) -> DeliveryClient {
        DeliveryClient(
            baseURL: URL(fileURLWithPath: "/").appendingPathComponent("content"), bundleID: "com.example.magazine",
            files: MemoryFiles(), transport: self, dependencies: dependencies)
    }

    // MARK: Holding

    /// Holds the downloads of a content from now on, or after some more.
    func hold(_ id: String, after count: Int = 0) {
        set { $0.holds[id] = count }
    }

    /// Lets the downloads of a content go on.
    func release(_ id: String) {
        let held = state.withLock { state in
            state.holds[id] = nil
            return state.held.removeValue(forKey: id) ?? []
        }
        held.forEach { $0.resume() }
    }

    private func pass(_ id: String) async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                guard let passing = state.holds[id] else { return false }
                guard passing == 0 else {
                    state.holds[id] = passing - 1
                    return false
                }
                state.held[id, default: []].append(continuation)
                return true
            }
            if !isHeld { continuation.resume() }
        }
    }

    // MARK: Transport

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        try state.withLock { state in
            guard !state.isAway else { throw TransportError(.noConnection, url: call.url, reason: "away") }
            state.grants += 1
            let token = "grant-\(state.nextToken)"
            state.nextToken += 1
            state.tokens.insert(token)
            let receipt = call.body.flatMap { try? JSONDecoder().decode(Query.self, from: $0).receipt }
            let contents = state.files.filter { _, file in
                if let needed = state.onlyInReceipt[file.transactionID], needed != receipt { return false }
                return !state.revoked.contains(file.transactionID)
            }.sorted { $0.key < $1.key }.map { id, file in
                GrantedContent(
                    contentId: id, productId: file.productID, transactionId: file.transactionID,
                    path: "/delivery/v1/content/\(id)", size: file.promisedSize ?? Int64(file.bytes.count),
                    sha256: file.sha256,
                    version: file.version, filename: file.filename)
            }
            let refused = state.revoked.sorted().map {
                RefusedPurchase(productId: "any", transactionId: $0, code: "revoked", message: "refunded")
            }
            let answer = Answer(grant: token, expires: "2099-01-01T00:00:00Z", content: contents, refused: refused)
            return HTTPAnswer(status: 200, body: try JSONEncoder().encode(answer))
        }
    }

    private struct Query: Decodable {
        var receipt: Data
    }

    private struct Answer: Encodable {
        var grant: String
        var expires: String
        var content: [GrantedContent]
        var refused: [RefusedPurchase]
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        let id = call.url.lastPathComponent
        let range = call.headers[.range]
        set { state in
            state.downloads.append((id, range))
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
        }
        await pass(id)
        defer { set { $0.running -= 1 } }
        return try state.withLock { state in
            guard !state.isAway else { throw TransportError(.noConnection, url: call.url, reason: "away") }
            if !state.statuses.isEmpty {
                let status = state.statuses.removeFirst()
                return Self.answer(status, status == 403 ? "notGranted" : "storeUnavailable")
            }
            let token = call.headers[.authorization].map { String($0.dropFirst(7)) } ?? ""
            guard state.tokens.contains(token) else { return Self.answer(401, "unauthorized") }
            guard var file = state.files[id] else { return Self.answer(404, "contentNotFound") }
            guard !state.revoked.contains(file.transactionID) else { return Self.answer(403, "notGranted") }
            let cut = state.cuts.isEmpty ? nil : state.cuts.removeFirst()
            let headers = file.headers
            if state.damagesBodies { file.bytes[0] ^= 1 }
            return Self.answer(
                file, headers, range: range, ifRange: call.headers[.ifRange], cut: cut, call.url)
        }
    }

    private static func answer(_ status: Int, _ code: String) -> StreamedAnswer {
        let body = #"{"error": {"code": "\#(code)", "message": "as scripted"}}"#
        return StreamedAnswer(status: status, headers: [:], body: ScriptedBody(pieces: [Data(body.utf8)]))
    }

    private static func answer(
        _ file: File, _ headers: HTTPFields, range: String?, ifRange: String?, cut: Int?, _ url: URL
    ) -> StreamedAnswer {
        var headers = headers
        let etag = headers[.eTag]
        var (status, bytes) = (200, file.bytes[...])
        if let range, ifRange == etag, let start = Int(range.dropFirst(6).dropLast()), start < bytes.count {
            status = 206
            bytes = bytes[start...]
            headers[.contentRange] = "bytes \(start)-\(file.bytes.count - 1)/\(file.bytes.count)"
        }
        headers[.contentLength] = "\(bytes.count)"
        let sent = bytes.prefix(cut ?? .max)
        let pieces = stride(from: sent.startIndex, to: sent.endIndex, by: 64).map { start in
            Data(sent[start..<min(start + 64, sent.endIndex)])
        }
        let error = sent.count < bytes.count ? TransportError(.noConnection, url: url, reason: "cut") : nil
        return StreamedAnswer(status: status, headers: headers, body: ScriptedBody(pieces: pieces, error: error))
    }
}

/// A body in pieces, which may end with an error.
private struct ScriptedBody: AsyncSequence, Sendable {
    var pieces: [Data]
    var error: TransportError?

    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: ArraySlice<Data>
        let error: TransportError?

        mutating func next() async throws -> Data? {
            if let piece = pieces.popFirst() { return piece }
            if let error { throw error }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: pieces[...], error: error)
    }
}
