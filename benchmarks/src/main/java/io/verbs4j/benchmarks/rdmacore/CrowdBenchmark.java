/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.rc.Crowd;
import org.openjdk.jmh.annotations.Param;

/**
 * RDMA writes on a pair beside a crowd of queue pairs that have been used, or each on another one of the crowd.
 *
 * <p>Where there is a crowd the device looks at all of it, time and again, and drives out of the caches what others have there. So each
 * verb is called as often before, which is not timed; {@code verbs.c} does so, too.
 */
public abstract class CrowdBenchmark extends OnPair {
    /** How many queue pairs there are in the crowd. */
    @Param("10000")
    public int crowd;

    private SendWorkRequest[] writes;
    private SendWorkRequest[] crowdWrites;
    private MemoryRegion target; // in the domain of the crowd, which is that of the pair's one end
    private Crowd pairs;

    @Override
    Pair pair(Context context) {
        return new Pair(context, 2 * OPERATIONS);
    }

    @Override
    void opened() {
        writes = requests(WrOpcode.RDMA_WRITE, false);
        ProtectionDomain pd = from().memory().pd();
        MemoryRegion theirs = to().memory();
        target = pd.regMr(theirs.addr(), theirs.length(), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        crowdWrites = requests(WrOpcode.RDMA_WRITE, false);
        for (SendWorkRequest write : crowdWrites) {
            write.rkey(target.rkey());
        }
        pairs = new Crowd(pd, queue(), crowd);
        for (int i = 0; i < crowd; i += OPERATIONS) {
            postToEach();
            DeviceSim.pump();
            takeAny(queue(), OPERATIONS);
        }
    }

    @Override
    void closing() {
        pairs.close();
        target.close();
    }

    /** The device takes milliseconds for each. */
    @Override
    int batchesOfGarbage() {
        return 50;
    }

    /** Where all of them complete. */
    final CompletionQueue queue() {
        return from().sends().queue();
    }

    /** Posts a batch on the pair. */
    final void postToOne() {
        QueuePair qp = from().qp();
        for (int i = 0; i < OPERATIONS; i++) {
            error |= qp.postSend(writes[i % BATCH]);
        }
    }

    /** Posts a batch, each request on another one of the crowd. */
    final void postToEach() {
        for (int i = 0; i < OPERATIONS; i++) {
            error |= pairs.next().postSend(crowdWrites[i % BATCH]);
        }
    }
}
