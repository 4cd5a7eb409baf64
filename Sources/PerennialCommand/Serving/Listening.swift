import Foundation
import Hummingbird
import NIOCore

/// Runs a server until it is asked to stop.
enum Listening {
    /// - Throws: ``CommandError`` in words, where the address can't be listened on.
    static func run(_ application: some ApplicationProtocol, host: String, port: Int) async throws {
        do {
            try await application.runService()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw CommandError(
                "port \(port) of \(host) is taken: stop what listens there, or choose another with --port")
        } catch let error as IOError where error.errnoCode == EACCES {
            throw CommandError(
                "listening on port \(port) of \(host) is not permitted: choose one above 1023 with --port")
        }
    }
}
