import Foundation
import OpenStoreKit
import Synchronization

/// The sessions of the process. The store of the last one stays after its session, so that a session that nothing holds works.
enum LiveSessions {
    private struct State {
        var count = 0
        var lingering: SessionCore?
    }

    private static let state = Mutex(State())

    /// Makes the environment of a new session, and makes it the newest.
    static func make(contentsOf url: URL, bundleID: String?) throws -> SessionCore {
        ProcessParts.prepare()
        let configuration = try SessionConfiguration(contentsOf: url, bundleID: bundleID)
        SessionLog.report(warningsOf: configuration)
        let core = try BlockingExecutor.run {
            try await throwingTestErrors { try await SessionCore(configuration) }
        }
        ProcessParts.prepareReceipts()
        CurrentStore.push(core.connection)
        let ended = state.withLock { state -> SessionCore? in
            state.count += 1
            defer { state.lingering = nil }
            return state.lingering
        }
        ended?.end()
        return core
    }

    /// Ends a session's store, unless it is the last.
    static func release(_ core: SessionCore) {
        let ended = state.withLock { state -> SessionCore? in
            state.count -= 1
            guard state.count == 0 else { return core }
            defer { state.lingering = core }
            return state.lingering
        }
        ended?.end()
    }
}

/// Messages about calls that can't throw.
enum SessionLog {
    /// Digests of the files whose warnings were written.
    private static let reported = Mutex<Set<[UInt8]>>([])

    /// Writes the warnings about a configuration file, once in a process: each test makes a session of it.
    static func report(warningsOf configuration: SessionConfiguration) {
        guard !configuration.warnings.isEmpty,
            reported.withLock({ $0.insert(configuration.digest).inserted })
        else { return }
        configuration.warnings.forEach(report)
    }

    static func report(_ text: String) {
        FileHandle.standardError.write(Data("StoreKitTest: \(text)\n".utf8))
    }
}
