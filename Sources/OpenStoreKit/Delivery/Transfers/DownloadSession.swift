import Foundation
import HTTPTypes

/// Downloads one file: continues after a broken connection, starts over if the file changed on the server, verifies the file and
/// moves it to its destination. Holds one piece of the body in memory at a time.
struct DownloadSession: DownloadJob {
    /// Maximum consecutive attempts without a received byte.
    static let maximumFruitlessAttempts = 5
    /// Maximum attempts of a run.
    static let maximumAttempts = 1000

    let content: GrantedContent
    let files: DownloadFiles
    let call: HTTPCall
    let transport: any Transport
    let dependencies: DeviceDependencies
    let policy: RetryPolicy
    /// Free bytes at the destination; `nil` if unknown.
    var freeBytes: @Sendable (URL) -> Int64? = { VolumeSpace.freeBytes(at: $0) }

    /// True to take a file that is newer than the grant, whose digest the server sends.
    var acceptsNewerFile = true

    var received: Int64 { files.resumable()?.received ?? 0 }

    func discard() {
        files.discard()
    }

    func run(progress: @escaping @Sendable (_ received: Int64, _ size: Int64) -> Void) async throws {
        var fruitless = 0
        var mismatches = 0
        files.adoptEarlierPart(of: content.contentId)
        for _ in 0..<Self.maximumAttempts {
            try Task.checkCancellation()
            let before = files.resumable()?.received ?? 0
            do {
                let plan = DownloadPlan(part: files.resumable(), contentId: content.contentId)
                if plan != .verify { try await fetch(plan, progress) }
                if try isVerified() { return try files.complete() }
                mismatches += 1
                files.discard()
                guard mismatches < 2 else {
                    throw DeliveryError(.digestMismatch, reason: "\(content.contentId) arrived changed, twice")
                }
            } catch let error as Interruption {
                fruitless = (files.resumable()?.received ?? 0) > before ? 0 : fruitless + 1
                guard fruitless < Self.maximumFruitlessAttempts else {
                    throw DeliveryError(.noConnection, reason: "broke off too often: \(error.reason)")
                }
                try await dependencies.sleep(policy.delay(afterFailures: max(fruitless, 1)))
            }
        }
        throw DeliveryError(.noConnection, reason: "broke off \(Self.maximumAttempts) times")
    }

    /// An interruption that is worth another attempt.
    private struct Interruption: Error {
        let reason: String
    }

    /// Performs a plan's request.
    ///
    /// - Throws: ``Interruption`` if another attempt may succeed.
    private func fetch(_ plan: DownloadPlan, _ progress: @Sendable (Int64, Int64) -> Void) async throws {
        var call = call
        call.headers.append(contentsOf: plan.headers)
        // A file whose bytes are counted must come as it is.
        call.headers[.acceptEncoding] = "identity"
        do {
            let answer = try await transport.stream(call)
            let promised = DownloadNote(contentId: content.contentId, size: content.size, sha256: content.sha256)
            switch DownloadAnswer(status: answer.status, headers: answer.headers, to: plan, promised: promised) {
            case .whole(let note):
                try requireGrantedFile(note)
                try requireSpace(for: note.size)
                try await write(answer, note: note, received: 0, file: try files.begin(note), progress)
            case .rest:
                guard let part = files.resumable() else { throw Interruption(reason: "the part is gone") }
                try requireSpace(for: part.note.size - part.received)
                try await write(
                    answer, note: part.note, received: part.received, file: try files.continuePart(), progress)
            case .startOver:
                files.discard()
                throw Interruption(reason: "the file changed")
            case .tryAgain(let status):
                throw Interruption(reason: "HTTP status \(status)")
            case .refused(let status):
                throw DeliveryError(status: status, body: await beginning(of: answer))
            }
        } catch let error as TransportError {
            throw Interruption(reason: error.reason)
        }
    }

    private func write(
        _ answer: StreamedAnswer, note: DownloadNote, received: Int64, file: consuming OutputFile,
        _ progress: @Sendable (Int64, Int64) -> Void
    ) async throws {
        var received = received
        progress(received, note.size)
        for try await piece in answer.body {
            try Task.checkCancellation()
            received += Int64(piece.count)
            guard received <= note.size else {
                files.discard()
                throw Interruption(reason: "more bytes than the file has")
            }
            try files.willChange(.appendToPart)
            try piece.withUnsafeBytes { bytes in try file.append(bytes) }
            progress(received, note.size)
        }
        guard received == note.size else { throw Interruption(reason: "\(received) of \(note.size) bytes") }
        try files.willChange(.synchronizePart)
        try file.synchronize()
    }

    private func requireGrantedFile(_ note: DownloadNote) throws {
        guard !acceptsNewerFile, note.sha256.lowercased() != content.sha256.lowercased() else { return }
        files.discard()
        throw DeliveryError(.contentChanged, reason: "\(content.contentId) is newer than the grant")
    }

    /// Fails before the first byte if the rest of the file has no room, so that a full disk isn't filled further.
    private func requireSpace(for bytes: Int64) throws {
        let folder = files.destination.deletingLastPathComponent()
        guard let free = freeBytes(folder), free < bytes else { return }
        throw FileError(.diskFull, path: folder.path, reason: "\(bytes) bytes are needed, \(free) are free")
    }

    private func isVerified() throws -> Bool {
        guard let part = files.resumable(), part.received == part.note.size else { return false }
        return try files.digest() == part.note.sha256.lowercased()
    }

    /// Reads the start of an error's body.
    private func beginning(of answer: StreamedAnswer) async -> Data {
        var data = Data()
        do {
            for try await piece in answer.body {
                data.append(piece)
                if data.count > 64 << 10 { break }
            }
        } catch {
            // The status says enough.
        }
        return data
    }
}
