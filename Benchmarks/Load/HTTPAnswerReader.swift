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

    private var state = State.head(ByteBuffer())

    /// Takes what arrived.
    /// - Returns: An answer that is complete with it.
    mutating func read(_ arrived: ByteBuffer) throws -> Answer? {
        switch state {
        case .body(let answer, let missing):
            return try advance(answer, missing: missing - arrived.readableBytes)
        case .head(var head):
            head.writeImmutableBuffer(arrived)
            let found = try head.withUnsafeReadableBytes { bytes in
                try HTTPHead.end(in: bytes).map { end in (try HTTPHead.answer(bytes[..<end]), end) }
            }
            guard let (answer, end) = found else {
                guard head.readableBytes < Self.maximumHeadBytes else { throw BenchmarkError("an endless answer") }
                state = .head(head)
                return nil
            }
            return try advance(answer, missing: answer.bodyBytes - (head.readableBytes - end))
        }
    }

    private mutating func advance(_ answer: Answer, missing: Int) throws -> Answer? {
        guard missing >= 0 else { throw BenchmarkError("an answer is longer than it says") }
        state = missing == 0 ? .head(ByteBuffer()) : .body(answer, missing: missing)
        return missing == 0 ? answer : nil
    }
}

/// The two things about an answer's head that a client of ours wants to know.
private enum HTTPHead {
    private static let length: StaticString = "content-length: "

    /// The end of the empty line.
    static func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 3
        while index < bytes.count {
            if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10, bytes[index - 3] == 13 {
                return index + 1
            }
            index += 1
        }
        return nil
    }

    /// - Parameter head: `HTTP/1.1 200 OK` and the fields.
    static func answer(_ head: Slice<UnsafeRawBufferPointer>) throws -> HTTPAnswerReader.Answer {
        guard head.count > 12, let status = number(in: head[9..<12]) else {
            throw BenchmarkError("an answer that is not HTTP")
        }
        for start in head.indices where start > 0 && head[start - 1] == 10 && isLength(head[start...]) {
            let value = head[(start + length.utf8CodeUnitCount)...].prefix { $0 != 13 }
            guard let bodyBytes = number(in: value) else { break }
            return HTTPAnswerReader.Answer(status: status, bodyBytes: bodyBytes)
        }
        throw BenchmarkError("an answer of status \(status) without a length")
    }

    private static func isLength(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard line.count > length.utf8CodeUnitCount else { return false }
        for index in 0..<length.utf8CodeUnitCount
        where line[line.startIndex + index] | 0x20 != length.utf8Start[index] | 0x20 {
            return false
        }
        return true
    }

    private static func number(in digits: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard (1...15).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 48)
        }
        return number
    }
}
