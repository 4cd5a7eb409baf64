import Foundation

/// A result that is printed as a line of JSON.
protocol JSONResult: Encodable {}

extension JSONResult {
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
