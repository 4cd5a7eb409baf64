import Foundation
import OpenStoreKit
import Synchronization

/// Holds back answers of requests that the store has carried out.
final class DelayingTransport: Transport {
    private struct State {
        /// Paths with a held next answer.
        var holding: [String] = []
        var held: [String: CheckedContinuation<Void, Never>] = [:]
        var arrivals: [String: CheckedContinuation<Void, Never>] = [:]
    }

    let store: any Transport
    private let state = Mutex(State())
    let isRemote: Bool

    /// - Parameter isRemote: True for a store over a network.
    init(_ store: any Transport, isRemote: Bool = false) {
        self.store = store
        self.isRemote = isRemote
    }

    func hold(_ path: String) {
        state.withLock { $0.holding.append(path) }
    }

    /// Waits for a held answer of the path.
    func arrival(of path: String) async {
        await withCheckedContinuation { continuation in
            let exists = state.withLock { state in
                if state.held[path] == nil { state.arrivals[path] = continuation }
                return state.held[path] != nil
            }
            if exists { continuation.resume() }
        }
    }

    func release(_ path: String) {
        state.withLock { $0.held.removeValue(forKey: path) }?.resume()
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let answer = try await store.send(call, maximumBytes: maximumBytes)
        let path = call.url.path.replacingOccurrences(of: "/store/v1/", with: "")
        let isHeld = state.withLock { state in
            guard let index = state.holding.firstIndex(of: path) else { return false }
            state.holding.remove(at: index)
            return true
        }
        guard isHeld else { return answer }
        await withCheckedContinuation { continuation in
            let arrival = state.withLock { state in
                state.held[path] = continuation
                return state.arrivals.removeValue(forKey: path)
            }
            arrival?.resume()
        }
        return answer
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
}
