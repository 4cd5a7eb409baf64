/// The promotion of a product on its app's page of the App Store.
package struct Promotion: Hashable, Sendable, Codable {
    package enum State: String, Sendable, Codable, CaseIterable {
        case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
        case inReview = "IN_REVIEW"
        case approved = "APPROVED"
        case rejected = "REJECTED"
    }

    /// A UUID in lower case.
    package var id: String
    package var isVisibleForAllUsers: Bool
    package var isEnabled: Bool?
    /// The place among the app's promoted purchases, from 0.
    package var position: Int
    package var state: State

    package init(
        id: String, isVisibleForAllUsers: Bool, isEnabled: Bool? = nil, position: Int,
        state: State = .prepareForSubmission
    ) {
        self.id = id
        self.isVisibleForAllUsers = isVisibleForAllUsers
        self.isEnabled = isEnabled
        self.position = position
        self.state = state
    }
}

extension CatalogProduct {
    /// The state of the product's promotion, which follows that of the product.
    package var promotionState: Promotion.State {
        switch product.state {
        case .approved, .removedFromSale: .approved
        case .waitingForReview, .inReview: .inReview
        case .rejected, .developerActionNeeded: .rejected
        case .readyToSubmit: .prepareForSubmission
        }
    }
}
