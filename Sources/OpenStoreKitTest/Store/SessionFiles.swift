import Foundation
import OpenStoreKit
import Synchronization

/// The files of a session's device: in memory, with the app receipt on disk as well, where apps read it.
final class SessionFiles: FileStore {
    private struct State {
        var contents: [String: Data] = [:]
        var receipt: URL?

        func shown(_ name: String) -> URL? { receipt?.lastPathComponent == name ? receipt : nil }
    }

    private let state = Mutex(State())

    /// Keeps the app receipt at a URL as well.
    func show(receiptAt url: URL) {
        state.withLock { $0.receipt = url }
    }

    func read(_ name: String) throws -> Data? { state.withLock { $0.contents[name] } }

    func write(_ data: Data, to name: String) throws {
        let shown = state.withLock { state in
            state.contents[name] = data
            return state.shown(name)
        }
        guard let shown else { return }
        try FileManager.default.createDirectory(
            at: shown.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: shown, options: .atomic)
    }

    func append(_ data: Data, to name: String) throws {
        state.withLock { $0.contents[name, default: Data()].append(data) }
    }

    func remove(_ name: String) throws {
        let shown = state.withLock { state in
            state.contents[name] = nil
            return state.shown(name)
        }
        if let shown { try? FileManager.default.removeItem(at: shown) }
    }
}
