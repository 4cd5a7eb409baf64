import HTTPTypes
import Synchronization

/// Listeners for messages of the store, each of which gets a message once for as long as the store lists it.
final class MessageListeners: Sendable {
    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        /// Messages of the newest answer.
        var present: [Message] = []
        /// Number of the newest request, and of the newest one that was answered.
        var requests = 0
        var answered = 0
    }

    private struct Listener {
        let continuation: AsyncStream<Message>.Continuation
        var delivered: Set<Message> = []
    }

    /// A listener, until it is released. Keeps a request for changes open: messages come with them.
    final class Registration: Sendable {
        private let list: MessageListeners
        private let listening: TransactionSync.NewsListening

        fileprivate init(_ list: MessageListeners, _ listening: TransactionSync.NewsListening) {
            (self.list, self.listening) = (list, listening)
        }

        deinit {
            let id = ObjectIdentifier(self)
            list.state.withLock { $0.listeners[id] = nil }
        }
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    func add(_ continuation: AsyncStream<Message>.Continuation, on sync: TransactionSync) -> Registration {
        let registration = Registration(self, sync.listenForNews())
        state.withLock { $0.listeners[ObjectIdentifier(registration)] = Listener(continuation: continuation) }
        return registration
    }

    /// Returns the number of a new request.
    func beginRequest() -> Int {
        state.withLock { state in
            state.requests += 1
            return state.requests
        }
    }

    /// Sends each listener the messages of an answer that are new to it. Ignores answers older than the newest one.
    func receive(_ messages: [Message], of request: Int) {
        state.withLock { state in
            guard request > state.answered else { return }
            state.answered = request
            let present = Set(messages)
            for id in state.listeners.keys {
                // A message that comes again later is a new one.
                state.listeners[id]?.delivered.formIntersection(present)
                for message in messages where state.listeners[id]?.delivered.insert(message).inserted == true {
                    state.listeners[id]?.continuation.yield(message)
                }
            }
        }
    }
}

extension StoreConnection {
    var messageListeners: MessageListeners { part { _ in MessageListeners() } }

    /// Fetches the store's messages for listeners; does nothing without listeners. A failed request leaves them to the next one.
    package func refreshMessages() async {
        let listeners = messageListeners
        guard !listeners.isEmpty else { return }
        let request = listeners.beginRequest()
        guard let messages = try? await store.messages() else { return }
        listeners.receive(messages, of: request)
    }
}

extension StoreProtocolClient {
    private struct MessagesAnswer: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            var reason: String
            var productId: String?
            var originalTransactionId: String?
        }

        var messages: [Item]
    }

    /// Fetches the messages for the customer, in the store's order.
    fileprivate func messages() async throws -> [Message] {
        let answer: MessagesAnswer = try await call(.get, "store/v1/messages")
        return answer.messages.map {
            Message(
                reason: Message.Reason(storeName: $0.reason), productID: $0.productId,
                originalTransactionID: $0.originalTransactionId)
        }
    }
}
