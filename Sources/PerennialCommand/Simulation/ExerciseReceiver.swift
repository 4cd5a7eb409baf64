import BaseEncoding
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import PerennialSimulation

/// A receiver of notifications that records each arrival and accepts it.
enum ExerciseReceiver {
    /// An address to listen at.
    struct Address: Equatable {
        var host: String
        var port: Int

        /// Reads `HOST:PORT`; an IPv6 address stands in brackets. Port 0 is a free one.
        init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
                (0...65_535).contains(port)
            else { return nil }
            let host = text[..<colon]
            guard !host.isEmpty else { return nil }
            self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
            self.port = port
        }

        func url(port: Int) -> String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/" }
    }

    private static let maximumBytes = 1 << 20

    /// Starts to listen.
    ///
    /// - Returns: The receiver's URL.
    /// - Throws: ``CommandError`` if the address can't be used.
    static func start(
        at address: Address, _ recorder: HistoryRecorder, _ cleanup: Cleanup
    ) async throws -> String {
        let port = await BackgroundServer.start(
            at: address.host, port: address.port, label: "perennial.exercise", cleanup
        ) { request in
            let bytes = Array(try await request.body.collect(upTo: maximumBytes).readableBytesView)
            try recorder.arrived(bytes, status: 200) { Hexadecimal.encode(SHA256.hash(data: $0)) }
            return Response(status: .ok)
        }
        if let port { return address.url(port: port) }
        throw CommandError(
            "notifications can't be received at \(address.host):\(address.port): name another --receiver")
    }
}
