import Foundation
import Perennial

/// The operations of a run, as one process recorded them: JSON lines (docs/reference/checker.md).
package struct RecordedHistory: Sendable {
    /// The version of the form.
    static let formatVersion = 1

    /// The first line.
    package struct Header: Sendable, Equatable, Codable {
        package var history: Int
        /// Bundle ID.
        package var app: String
        package var environment: String
        /// `manual` or `real`.
        package var clock: String
        package var seed: UInt64
        package var clients: Int
        package var nodes: [String]
        /// RFC 3339; the times of operations count from here.
        package var started: String
        /// Types of the products that are bought, by product ID.
        package var products: [String: String]

        package init(
            app: String, environment: String, clock: String, seed: UInt64, clients: Int, nodes: [String],
            started: String, products: [String: String]
        ) {
            history = RecordedHistory.formatVersion
            self.app = app
            self.environment = environment
            self.clock = clock
            self.seed = seed
            self.clients = clients
            self.nodes = nodes
            self.started = started
            self.products = products
        }

        var isManual: Bool { clock == StoreEnvironment.Clock.manual.rawValue }
    }

    /// The last line.
    package struct Trailer: Sendable, Equatable, Codable {
        package var end: Int64
        /// True if all that the rules need was read at the end.
        package var isComplete: Bool
        package var operations: Int
        /// The reading that failed at the end, in words.
        package var missing: String?

        package init(end: Int64, isComplete: Bool, operations: Int, missing: String? = nil) {
            self.end = end
            self.isComplete = isComplete
            self.operations = operations
            self.missing = missing
        }
    }

    /// The file's name, or another name for messages.
    package var name: String
    package var header: Header
    package var operations: [RecordedOperation]
    /// `nil` for a history that was cut off.
    package var trailer: Trailer?

    package init(name: String = "history", header: Header, operations: [RecordedOperation], trailer: Trailer?) {
        self.name = name
        self.header = header
        self.operations = operations
        self.trailer = trailer
    }
}

/// A line of a history that can't be read.
package struct HistoryError: Error, Equatable, CustomStringConvertible {
    package var name: String
    package var line: Int
    package var reason: String

    package var description: String { "\(name), line \(line): \(reason)" }
}

extension RecordedHistory {
    /// Reads a history from JSON lines.
    ///
    /// - Throws: ``HistoryError`` that names the line.
    package init(_ data: Data, name: String) throws {
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let decoder = JSONDecoder()
        func fail(_ index: Int, _ reason: String) -> HistoryError {
            HistoryError(name: name, line: index + 1, reason: reason)
        }
        guard let first = lines.first, let header = try? decoder.decode(Header.self, from: Data(first)) else {
            throw fail(0, "this is not the first line of a history of perennial exercise")
        }
        guard header.history == Self.formatVersion else {
            throw fail(0, "the history has form \(header.history); this version reads form \(Self.formatVersion)")
        }
        self.init(name: name, header: header, operations: [], trailer: nil)
        var numbers: Set<Int> = []
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            guard trailer == nil else { throw fail(index, "the history goes on after its last line") }
            if let line = try? decoder.decode(HistoryLine.self, from: Data(line)) {
                do {
                    let operation = try line.operation()
                    guard numbers.insert(operation.number).inserted else {
                        throw HistoryLine.Malformed(reason: "there are two operations \(operation.number)")
                    }
                    operations.append(operation)
                } catch let error as HistoryLine.Malformed {
                    throw fail(index, error.reason)
                }
            } else if let trailer = try? decoder.decode(Trailer.self, from: Data(line)) {
                self.trailer = trailer
            } else if index == lines.count - 1 {
                // The process that wrote it died in the line.
                continue
            } else {
                throw fail(index, "this is no operation")
            }
        }
    }

    /// The history as JSON lines.
    package func data() throws -> Data {
        var data = try Self.line(header)
        for operation in operations { data += try Self.line(HistoryLine(operation)) }
        if let trailer { data += try Self.line(trailer) }
        return data
    }

    static func line(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + [UInt8(ascii: "\n")]
    }
}
