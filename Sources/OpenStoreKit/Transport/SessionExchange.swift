import Foundation
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchanges of one `URLSession`, by task.
final class SessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var session: URLSession?
        var running: [Int: SessionExchange] = [:]
    }

    private let state = Mutex(State())

    /// Sends a request.
    ///
    /// - Parameter buffer: Bytes of the body that wait for their reader before the exchange pauses.
    func begin(_ request: URLRequest, buffer: Int) -> SessionExchange {
        let exchange = state.withLock { state in
            let session = state.session ?? makeSession()
            state.session = session
            let task = session.dataTask(with: request)
            let exchange = SessionExchange(task, buffer: buffer)
            state.running[task.taskIdentifier] = exchange
            return exchange
        }
        exchange.resume()
        return exchange
    }

    private func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        state.withLock { $0.running[task.taskIdentifier] }
    }

    // MARK: Delegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The answer is the redirection itself.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = state.withLock { $0.running.removeValue(forKey: task.taskIdentifier) }
        exchange?.end(error)
    }
}

/// One request and its answer, whose body is read piece by piece by one reader.
final class SessionExchange: Sendable {
    struct Head: Sendable {
        var status: Int
        var headers: HTTPFields
    }

    private struct State {
        var head: Head?
        var pieces: [Data] = []
        var waiting = 0
        var end: Result<Void, any Error>?
        var headReader: CheckedContinuation<Head, any Error>?
        var pieceReader: CheckedContinuation<Data?, any Error>?
        var isPaused = false
    }

    private let task: URLSessionDataTask
    private let buffer: Int
    private let state = Mutex(State())

    init(_ task: URLSessionDataTask, buffer: Int) {
        self.task = task
        self.buffer = buffer
    }

    func resume() { task.resume() }

    func cancel() { task.cancel() }

    // MARK: Reading

    /// Returns the head of the answer.
    func head() async throws -> Head {
        try await withCheckedThrowingContinuation { continuation in
            let known: Result<Head, any Error>? = state.withLock { state in
                if let head = state.head { return .success(head) }
                if case .failure(let error)? = state.end { return .failure(error) }
                if state.end != nil { return .failure(URLError(.badServerResponse)) }
                state.headReader = continuation
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }

    /// Returns the next piece of the body; `nil` at its end.
    func next() async throws -> Data? {
        let (piece, resumes): (Data?, Bool) = state.withLock { state in
            guard !state.pieces.isEmpty else { return (nil, false) }
            let piece = state.pieces.removeFirst()
            state.waiting -= piece.count
            let resumes = state.isPaused && state.waiting <= buffer / 2
            if resumes { state.isPaused = false }
            return (piece, resumes)
        }
        if resumes { task.resume() }
        if let piece { return piece }
        return try await withCheckedThrowingContinuation { continuation in
            let known: Result<Data?, any Error>? = state.withLock { state in
                if !state.pieces.isEmpty {
                    let piece = state.pieces.removeFirst()
                    state.waiting -= piece.count
                    return .success(piece)
                }
                if let end = state.end { return end.map { nil } }
                state.pieceReader = continuation
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }

    // MARK: The session's reports

    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        var headers = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = HTTPField.Name("\(name)") else { continue }
            headers.append(HTTPField(name: name, value: "\(value)"))
        }
        let head = Head(status: response.statusCode, headers: headers)
        let reader = state.withLock { state in
            state.head = head
            defer { state.headReader = nil }
            return state.headReader
        }
        reader?.resume(returning: head)
    }

    func receive(_ data: Data) {
        let (reader, pauses) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Bool) in
            if let reader = state.pieceReader {
                state.pieceReader = nil
                return (reader, false)
            }
            state.pieces.append(data)
            state.waiting += data.count
            let pauses = state.waiting > buffer && !state.isPaused
            if pauses { state.isPaused = true }
            return (nil, pauses)
        }
        if pauses { task.suspend() }
        reader?.resume(returning: data)
    }

    func end(_ error: (any Error)?) {
        let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let (headReader, pieceReader) = state.withLock { state in
            state.end = end
            defer { (state.headReader, state.pieceReader) = (nil, nil) }
            return (state.headReader, state.pieceReader)
        }
        headReader?.resume(throwing: error ?? URLError(.badServerResponse))
        pieceReader?.resume(with: end.map { nil })
    }
}
