import NIOCore

/// Reads answers that say their length, one after the other, and keeps none of their bodies.
struct HTTPAnswerReader {
    struct Answer {
        let status: Int
        let bodyBytes: Int
    }

    private enum State {
        case head(ByteBuffer)
        case body(Answer, missing: Int)
    }

    private static let maximumHeadBytes = 16 << 10
    private static let endOfHead = Array("\r\n\r\n".utf8)
    private static let lengthField = Array("content-length:".utf8)

    private var state = State.head(ByteBuffer())

    /// Takes what arrived.
    /// - Returns: An answer that is complete with it.
    mutating func read(_ arrived: ByteBuffer) throws -> Answer? {
        switch state {
        case .body(let answer, let missing):
            return try advance(answer, missing: missing - arrived.readableBytes)
        case .head(var head):
            head.writeImmutableBuffer(arrived)
            guard let end = head.readableBytesView.firstRange(of: Self.endOfHead) else {
                guard head.readableBytes < Self.maximumHeadBytes else { throw BenchmarkError("an endless answer") }
                state = .head(head)
                return nil
            }
            let answer = try Self.answer(head.readableBytesView[..<end.lowerBound])
            return try advance(answer, missing: answer.bodyBytes - head.readableBytesView[end.upperBound...].count)
        }
    }

    private mutating func advance(_ answer: Answer, missing: Int) throws -> Answer? {
        guard missing >= 0 else { throw BenchmarkError("an answer is longer than it says") }
        state = missing == 0 ? .head(ByteBuffer()) : .body(answer, missing: missing)
        return missing == 0 ? answer : nil
    }

    private static func answer(_ head: ByteBufferView) throws -> Answer {
        let lines = head.split(separator: UInt8(ascii: "\r"))
        let status = lines.first?.dropFirst("HTTP/1.1 ".utf8.count).prefix(3)
        guard let status, let number = Int(String(decoding: status, as: UTF8.self)) else {
            throw BenchmarkError("an answer that is not HTTP")
        }
        for line in lines.dropFirst() {
            let field = line.drop { $0 == UInt8(ascii: "\n") }
            guard field.count > lengthField.count,
                zip(field, lengthField).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 })
            else { continue }
            let value = String(decoding: field.dropFirst(lengthField.count), as: UTF8.self)
            guard let length = Int(value.drop { $0 == " " }) else { break }
            return Answer(status: number, bodyBytes: length)
        }
        throw BenchmarkError("an answer of status \(number) without a length")
    }
}
