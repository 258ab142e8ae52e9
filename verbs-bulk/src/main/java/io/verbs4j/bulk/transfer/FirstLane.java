/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.strategy.Posts;

/** The connection's own queue pair, which also carries messages. */
final class FirstLane extends Lane {
    private final Link link;

    FirstLane(Link link) {
        super(link.posted);
        this.link = link;
    }

    @Override
    DeviceLoad load() {
        return link.load;
    }

    @Override
    Posts posts() {
        return link.posts();
    }

    @Override
    long nextWrId() {
        return link.wrId(posted.next());
    }

    @Override
    int remoteKey(Transfer transfer) {
        return transfer.remoteKey;
    }
}
