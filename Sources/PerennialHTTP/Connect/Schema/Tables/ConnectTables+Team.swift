extension ConnectTables {
    /// Users, invitations and sandbox testers.
    static let team = """
        actors v1
          actorType ActorType
          userFirstName text
          userLastName text
          userEmail text
          apiKeyId text
          GET - 2.4 should filter=id!
          GET {id} 2.4 should

        users v1
          username text
          firstName text
          lastName text
          roles [UserRole] patch
          allAppsVisible boolean patch
          provisioningAllowed boolean patch
          visibleApps *apps data links patch
          GET - 1.3 filter=username,roles,visibleApps sort=username,lastName
          GET {id} 1.3
          PATCH {id} 1.3 should
          DELETE {id} 1.3 should
          POST {id}/relationships/visibleApps 1.3 should
          GET {id}/relationships/visibleApps 1.3 should
          PATCH {id}/relationships/visibleApps 1.3 should
          DELETE {id}/relationships/visibleApps 1.3 should
          GET {id}/visibleApps 1.3 should

        userInvitations v1
          email text post!
          firstName text post!
          lastName text post!
          expirationDate dateTime
          roles [UserRole] post!
          allAppsVisible boolean post
          provisioningAllowed boolean post
          visibleApps *apps data links post
          POST - 1.3 should
          GET - 1.3 should filter=email,roles,visibleApps sort=email,lastName
          GET {id} 1.3 should
          DELETE {id} 1.3 should
          GET {id}/relationships/visibleApps 4.0 should
          GET {id}/visibleApps 1.3 should

        sandboxTesters v2
          firstName text
          lastName text
          acAccountName text
          territory TerritoryCode patch
          applePayCompatible boolean
          interruptPurchases boolean patch
          subscriptionRenewalRate RenewalRate patch
          GET - 2.2
          PATCH {id} 2.2

        sandboxTestersClearPurchaseHistoryRequest v2
          sandboxTesters *sandboxTesters post!
          POST - 2.2
        """
}
