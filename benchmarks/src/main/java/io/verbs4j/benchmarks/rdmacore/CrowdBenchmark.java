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
 * RDMA writes on a pair beside a crowd of used queue pairs, or each on another one of the crowd.
 *
 * <p>With a crowd, the device repeatedly scans all of it, which evicts other data from the caches. So before timing,
 * each verb is called as often as it is timed; {@code verbs.c} does the same.
 */
public abstract class CrowdBenchmark extends OnPair {
    /** Number of queue pairs in the crowd. */
    @Param("10000")
    public int crowd;

    private SendWorkRequest[] writes;
    private SendWorkRequest[] crowdWrites;
    private MemoryRegion target; // in the protection domain of the crowd, which is that of the pair's sending end
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

    /** Returns a smaller number, as the device takes milliseconds for each batch. */
    @Override
    int batchesOfGarbage() {
        return 50;
    }

    /** Returns the queue of all completions. */
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

    /** Posts a batch, each request on another queue pair of the crowd. */
    final void postToEach() {
        for (int i = 0; i < OPERATIONS; i++) {
            error |= pairs.next().postSend(crowdWrites[i % BATCH]);
        }
    }
}
