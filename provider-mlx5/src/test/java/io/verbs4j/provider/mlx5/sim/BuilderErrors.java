/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.mlx5dv.SendBuilder;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/** A program: what a builder refuses, and that nothing of a refused batch is posted. */
final class BuilderErrors {
    private static final int S = SendFlags.SIGNALED;

    private final WorkCompletion[] wc = {new WorkCompletion()};

    private BuilderErrors() {}

    public static void main(String... args) throws InterruptedException {
        new BuilderErrors().run();
        System.out.println("builder ok, violations " + Control.device_sim_count(Control.VIOLATIONS));
    }

    private void run() throws InterruptedException {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
        try (Rig rig = new Rig("mlx5_0", "java", QpType.RC, memory)) {
            SendBuilder b = SendBuilder.of(rig.qp);
            int lkey = rig.mr.lkey();
            int rkey = rig.mr.rkey();
            long at = rig.mr.addr();

            same("complete without start", b.complete(), Errno.EINVAL);
            b.write(1, S, rkey, at).sge(lkey, at, 8); // nobody has started: nothing happens
            same("and still", b.complete(), Errno.EINVAL);

            b.start();
            same("an empty batch", b.complete(), 0);
            b.start();
            b.sge(lkey, at, 8);
            same("an element of no request", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at, lkey, at, 8).write(2, S, rkey, at).inlineData(lkey + 1, at, 8);
            same("inline data that are not registered", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at).inlineData(lkey, at, 1000);
            same("too much inline", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at)
                    .sge(lkey, at, 8)
                    .sge(lkey, at, 8)
                    .sge(lkey, at, 8)
                    .sge(lkey, at, 8);
            same("too many elements", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at).sge(lkey, at, 8).inlineData(lkey, at, 8);
            same("elements and inline data", b.complete(), Errno.EINVAL);
            b.start();
            b.send(1, S).udAddr(null, 1, 2);
            same("an address that RC has not", b.complete(), Errno.EINVAL);
            b.start();
            b.send(1, S, lkey, at, 8);
            b.start();
            same("a second start", b.complete(), Errno.EINVAL);
            b.start();
            for (int i = 0; i < 1000; i++) { // libmlx5 rounds the depth up
                b.write(i, S, rkey, at, lkey, at, 8);
            }
            same("more than there is room", b.complete(), Errno.ENOMEM);
            b.start();
            b.write(1, S, rkey, at, lkey, at, 8);
            b.abort();
            Control.device_sim_pump(-1);
            same("completions of what was not posted", rig.cq.poll(1, wc), 0);

            SendWorkRequest negative = new SendWorkRequest()
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sgList(new ScatterGatherElement().addr(at).lkey(lkey).length(-1));
            same("a negative length", rig.qp.postSend(negative), Errno.EINVAL);
            whileBuilding(rig, b);
            otherThread(rig, b);

            rig.qp.modify(new QpAttr().qpState(QpState.ERR));
            b.start();
            b.write(8, S, rkey, at, lkey, at, 8);
            same("a post in ERR", b.complete(), 0);
            rig.qp.modify(new QpAttr().qpState(QpState.RESET));
            b.start();
            b.write(9, S, rkey, at, lkey, at, 8);
            same("a post in RESET", b.complete(), Errno.EINVAL);
        }
    }

    /** What the thread may not do itself meanwhile; and that deregistration does not wait for it. */
    private void whileBuilding(Rig rig, SendBuilder b) {
        int lkey = rig.mr.lkey();
        long at = rig.mr.addr();
        b.start();
        b.write(1, S, rig.mr.rkey(), at, lkey, at, 8);
        same("a post beside it", rig.qp.postSend(new SendWorkRequest().opcode(WrOpcode.SEND)), Errno.EINVAL);
        SendBuilder second = SendBuilder.of(rig.qp);
        second.start();
        same("a second builder", second.complete(), Errno.EINVAL);
        busy(() -> rig.qp.modify(new QpAttr().qpState(QpState.ERR)));
        Mailbox toError = new Mailbox(16).opcode(DevxOpcode.QP_2ERR).put(72, 24, rig.qp.qpNum());
        busy(() -> rig.context.vendor(Devx.class).modify(rig.qp, toError, new Mailbox(16)));
        busy(rig.qp::close);
        rig.pd.regMr(ByteBuffer.allocateDirect(64), 0).close();
        same("complete", b.complete(), 0);
        Control.device_sim_pump(-1);
        same("completions", rig.cq.poll(1, wc), 1);
    }

    /** Another thread's calls do nothing, and its posts wait. */
    private void otherThread(Rig rig, SendBuilder b) throws InterruptedException {
        int lkey = rig.mr.lkey();
        int rkey = rig.mr.rkey();
        long at = rig.mr.addr();
        b.start();
        b.write(5, S, rkey, at, lkey, at, 8);
        CountDownLatch posts = new CountDownLatch(1);
        int[] result = {-1};
        Thread other = new Thread(() -> {
            b.write(6, S, rkey, at, lkey, at, 8).sge(lkey, at, 8);
            result[0] = b.complete() == Errno.EINVAL ? 0 : 1;
            posts.countDown();
            SendBuilder own = SendBuilder.of(rig.qp);
            own.start();
            own.write(7, S, rkey, at, lkey, at, 8);
            result[0] |= own.complete();
        });
        other.start();
        require(posts.await(10, SECONDS), "the other thread goes on");
        Thread.sleep(20);
        require(other.isAlive(), "the other thread waits for the lock");
        same("complete", b.complete(), 0);
        other.join(10_000);
        require(!other.isAlive(), "the other thread ends");
        same("its calls", result[0], 0);
        Control.device_sim_pump(-1);
        same("completions", rig.cq.poll(1, wc), 1);
        require(wc[0].wrId() == 5, "the first is 5");
        same("completions", rig.cq.poll(1, wc), 1);
        require(wc[0].wrId() == 7, "the second is 7");
        same("completions", rig.cq.poll(1, wc), 0);
    }

    private static void busy(Runnable verb) {
        try {
            verb.run();
        } catch (VerbsException e) {
            same("errno of " + e.getMessage(), e.errno(), Errno.EBUSY);
            return;
        }
        throw new IllegalStateException("it was not refused");
    }

    private static void same(String what, int found, int expected) {
        require(found == expected, what + ": " + found + ", not " + expected);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
