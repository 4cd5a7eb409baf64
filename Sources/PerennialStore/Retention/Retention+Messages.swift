import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Retention {
    /// The most messages of an app (Upload Message).
    package static let maximumMessages: Int64 = 2000

    /// Stores a message for customers who are about to cancel.
    ///
    /// - Throws: ``ServerAPIError`` 4040014 and 4000216 for its images, 4030016, 4090001.
    package func uploadMessage(_ message: UploadMessageRequest, id: UUID, for app: App) async throws {
        let document = try StoredJSON.text(message)
        try await database.write { [self] connection in
            let key = key(of: app)
            for image in message.images {
                guard let found = try RetentionImagesTable.image(image.id.name, key, on: connection) else {
                    throw Self.noImage(image.id)
                }
                guard found.size == image.size.rawValue else {
                    throw ServerAPIError(
                        .invalidImageSize, "imageIdentifier",
                        "the image \(found.id) is \(found.size), not \(image.size.rawValue)")
                }
            }
            guard try RetentionMessagesTable.count(key, on: connection) < Self.maximumMessages else {
                throw ServerAPIError(
                    .maximumMessages, nil, "an app has at most \(Self.maximumMessages) messages"
                )
            }
            let record = RetentionMessagesTable.Record(
                id: id.name, state: stateOfUploads.rawValue, document: document)
            let images = Set(message.images.map(\.id.name))
            guard
                try RetentionMessagesTable.insert(
                    record, images: images, at: try clock.now(on: connection), key, on: connection)
            else {
                throw ServerAPIError(.messageAlreadyExists, "messageIdentifier", "there is one of that name")
            }
        }
    }

    /// Deletes a message, also as a default.
    ///
    /// - Throws: ``ServerAPIError`` 4040015.
    package func deleteMessage(_ id: UUID, of app: App) async throws {
        try await database.write { [self] connection in
            guard try RetentionMessagesTable.delete(id.name, key(of: app), on: connection) else {
                throw Self.noMessage(id)
            }
        }
    }

    package func messages(of app: App) async throws -> [GetMessageListResponse.Item] {
        let records = try await database.read { [self] connection in
            try RetentionMessagesTable.all(key(of: app), limit: Int(Self.maximumMessages), on: connection)
        }
        return records.map { record in
            GetMessageListResponse.Item(
                messageIdentifier: record.id, messageState: RetentionState(rawValue: record.state) ?? .pending)
        }
    }

    /// Sets the result of a message's review.
    ///
    /// - Throws: ``ServerAPIError`` 4040015.
    package func setState(_ state: RetentionState, ofMessage id: UUID, of app: App) async throws {
        try await database.write { [self] connection in
            guard try RetentionMessagesTable.setState(state.rawValue, of: id.name, key(of: app), on: connection) else {
                throw Self.noMessage(id)
            }
        }
    }

    /// Returns a message if it is approved with all its images.
    ///
    /// - Throws: ``ServerAPIError`` 4040015, 4030017, 4030018.
    func approvedMessage(
        _ id: String, of app: App, on connection: any Connection
    ) throws -> UploadMessageRequest {
        let key = key(of: app)
        guard let record = try RetentionMessagesTable.message(id, key, on: connection) else {
            throw ServerAPIError(.messageNotFound, "messageIdentifier", "there is no message \(id)")
        }
        guard record.state == RetentionState.approved.rawValue else {
            throw ServerAPIError(.messageNotApproved, "messageIdentifier", "the message is \(record.state)")
        }
        let message = try JSONDecoder().decode(UploadMessageRequest.self, from: Data(record.document.utf8))
        for image in message.images {
            let found = try RetentionImagesTable.image(image.id.name, key, on: connection)
            guard found?.state == RetentionState.approved.rawValue else {
                throw ServerAPIError(
                    .imageNotApproved, "messageIdentifier", "its image \(image.id.name) is not approved")
            }
        }
        return message
    }

    private static func noMessage(_ id: UUID) -> ServerAPIError {
        ServerAPIError(.messageNotFound, "messageIdentifier", "there is no message \(id.name)")
    }
}
