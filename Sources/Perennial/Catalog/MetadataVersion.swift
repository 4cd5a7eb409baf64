/// A version of a product's reviewable texts.
package struct MetadataVersion: Hashable, Sendable, Codable {
    /// The state of a version, in App Store Connect's words.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// A draft. Only drafts can be edited.
        case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
        case readyForReview = "READY_FOR_REVIEW"
        case waitingForReview = "WAITING_FOR_REVIEW"
        case inReview = "IN_REVIEW"
        case accepted = "ACCEPTED"
        case approved = "APPROVED"
        case rejected = "REJECTED"
        case developerRejected = "DEVELOPER_REJECTED"
        case replacedWithNewVersion = "REPLACED_WITH_NEW_VERSION"
    }

    /// Counted from 1.
    package var number: Int
    /// A UUID in lower case.
    package var id: String
    package var state: State
    package var localizations: [ListingLocalization]

    package init(number: Int, id: String, state: State, localizations: [ListingLocalization] = []) {
        self.number = number
        self.id = id
        self.state = state
        self.localizations = localizations
    }
}

/// The name and description of a product in a language.
package struct ListingLocalization: Hashable, Sendable, Codable {
    /// A UUID in lower case.
    package var id: String
    /// App Store Connect's code of the language, such as `en-US` or `de-DE`.
    package var locale: String
    package var name: String
    package var description: String?

    package init(id: String, locale: String, name: String, description: String? = nil) {
        self.id = id
        self.locale = locale
        self.name = name
        self.description = description
    }
}
