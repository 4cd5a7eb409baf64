/// A seller's request to review versions of products and subscription groups together.
package struct ReviewSubmission: Hashable, Sendable, Codable {
    /// The state of a submission, in App Store Connect's words.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Open: items can be added.
        case readyForReview = "READY_FOR_REVIEW"
        case waitingForReview = "WAITING_FOR_REVIEW"
        case inReview = "IN_REVIEW"
        /// An item was rejected.
        case unresolvedIssues = "UNRESOLVED_ISSUES"
        case canceling = "CANCELING"
        case completing = "COMPLETING"
        case complete = "COMPLETE"
    }

    package enum Platform: String, Sendable, Codable, CaseIterable {
        case iOS = "IOS"
        case macOS = "MAC_OS"
        case tvOS = "TV_OS"
        case visionOS = "VISION_OS"
    }

    /// A reviewed version.
    package enum Subject: Hashable, Sendable, Codable {
        /// A version of a product, by the product's Apple ID.
        case product(Int64, version: String)
        /// A version of a subscription group, by the group's key.
        case group(String, version: String)

        /// True if both are versions of the same product or group.
        package func hasSameOwner(as other: Subject) -> Bool {
            switch (self, other) {
            case (.product(let one, _), .product(let two, _)): one == two
            case (.group(let one, _), .group(let two, _)): one == two
            default: false
            }
        }
    }

    package struct Item: Hashable, Sendable, Codable {
        /// The state of an item, in App Store Connect's words.
        package enum State: String, Sendable, Codable, CaseIterable {
            case readyForReview = "READY_FOR_REVIEW"
            case accepted = "ACCEPTED"
            case approved = "APPROVED"
            case rejected = "REJECTED"
            case removed = "REMOVED"
        }

        /// Counted from 1 in the submission.
        package var number: Int
        package var subject: Subject
        package var state: State
        /// The reviewer's reason for a rejection.
        package var reason: String?

        /// True for an item that waits for its review, or was rejected and can be submitted again.
        package var isUnderReview: Bool { state != .approved && state != .removed }

        package init(number: Int, subject: Subject, state: State = .readyForReview, reason: String? = nil) {
            self.number = number
            self.subject = subject
            self.state = state
            self.reason = reason
        }
    }

    /// The most items of a submission (App Store Connect help, "Submit for review").
    package static let maximumItems = 200

    /// A UUID in lower case.
    package var id: String
    /// The app's Apple ID.
    package var app: Int64
    /// `nil` for a product or group that was submitted directly.
    package var platform: Platform?
    package var state: State
    /// The real time of the submission.
    package var submitted: Instant?
    package var submittedBy: CatalogActor?
    package var lastUpdatedBy: CatalogActor
    package var items: [Item]

    package init(id: String, app: Int64, platform: Platform?, by actor: CatalogActor) {
        self.id = id
        self.app = app
        self.platform = platform
        state = .readyForReview
        lastUpdatedBy = actor
        items = []
    }

    /// True until the review has ended.
    package var isOpen: Bool { state != .complete }
}
