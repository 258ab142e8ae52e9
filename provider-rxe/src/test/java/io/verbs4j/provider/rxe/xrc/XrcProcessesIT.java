/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * An XRC domain of several processes: {@code a} has the receiving queue pair, {@code a} and {@code b} have shared
 * receive queues, and this process sends.
 */
class XrcProcessesIT {
    private static final int MESSAGES = Integer.getInteger("io.verbs4j.xrc.messages", 10_000);
    private static final int WINDOW = 32;

    @TempDir
    Path folder;

    private final String temporary = System.getProperty("java.io.tmpdir");
    private XrcChildProgram sender;
    private QueuePair qp;
    private Child a;
    private Child b;

    /** A child process and what it has reported about itself. */
    private static final class Child extends ToldProcess {
        final int srqNum;
        final long addr;
        final int rkey;
        final Gid gid;

        Child(Path file) throws IOException {
            super(XrcChildProgram.command(file));
            String[] about = ask("about").split(" ", -1);
            srqNum = Integer.parseInt(about[0]);
            addr = Long.parseLong(about[1]);
            rkey = Integer.parseInt(about[2]);
            gid = Gid.parseHex(about[3]);
        }
    }

    @BeforeEach
    void start() throws IOException {
        Path file = folder.resolve("domain");
        System.setProperty("java.io.tmpdir", folder.toString()); // that of the children
        sender = new XrcChildProgram();
        a = new Child(file);
        b = new Child(file);
        assertThat(a.srqNum >>> 12).isNotEqualTo(b.srqNum >>> 12);
        assertThat(a.ask("fill")).isEqualTo("ok");
        assertThat(b.ask("fill")).isEqualTo("ok");
        qp = sender.newSender(WINDOW);
        int number = Integer.parseInt(a.ask("qp"));
        connect(number);
    }

    private void connect(int number) throws IOException {
        XrcChildProgram.connect(qp, a.gid, number);
        assertThat(a.ask("connect " + XrcChildProgram.hex(sender.gid()) + " " + qp.qpNum()))
                .isEqualTo("ok");
        remoteNumber = number;
    }

    private int remoteNumber;

    @AfterEach
    void stop() throws InterruptedException {
        for (Child child : new Child[] {a, b}) {
            if (child != null) {
                child.kill();
            }
        }
        qp.close();
        sender.close();
        System.setProperty("java.io.tmpdir", temporary);
    }

    /** Sends messages {@code from} to {@code to}, the even ones to one queue; returns the first bad status. */
    private int send(int from, int to, int evenSrq, int oddSrq) {
        int completed = from;
        int bad = WcStatus.SUCCESS;
        for (int n = from; completed < to; ) {
            if (n < to && n - completed < WINDOW && bad == WcStatus.SUCCESS) {
                assertThat(qp.postSend(sender.message(n, n % WINDOW).remoteSrqn(n % 2 == 0 ? evenSrq : oddSrq)))
                        .isZero();
                n++;
            } else {
                if (bad != WcStatus.SUCCESS && completed == n) {
                    break;
                }
                WorkCompletion wc = sender.next();
                bad = bad == WcStatus.SUCCESS ? wc.status() : bad;
                completed++;
            }
        }
        return bad;
    }

    @Test
    void messagesGoToQueuesOfBothProcesses() throws IOException {
        long start = System.nanoTime();
        a.tell("receive " + MESSAGES / 2);
        b.tell("receive " + MESSAGES / 2);
        assertThat(send(0, MESSAGES, a.srqNum, b.srqNum)).isEqualTo(WcStatus.SUCCESS);
        assertThat(a.answer()).isEqualTo(MESSAGES / 2 + " received, 0 wrong");
        assertThat(b.answer()).isEqualTo(MESSAGES / 2 + " received, 0 wrong");
        System.out.printf("xrc: %d messages in %.2f s%n", MESSAGES, (System.nanoTime() - start) / 1e9);
    }

    @Test
    @Full
    void deathOfProcessEndsQueuePairOnly() throws Exception {
        a.tell("receive 500");
        b.tell("receive 500");
        assertThat(send(0, 1000, a.srqNum, b.srqNum)).isEqualTo(WcStatus.SUCCESS);
        a.answer();
        b.answer();
        Thread killer = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            b.process.destroyForcibly();
        });
        b.tell("receive 1000000");
        a.tell("receive 1000000");
        killer.start();
        assertThat(WcStatus.toString(send(1000, 2_001_000, a.srqNum, b.srqNum)))
                .isEqualTo(WcStatus.toString(WcStatus.REM_OP_ERR));
        killer.join();
        // a waits for more than arrives; the rest of its minute is not waited for.
        a.kill();
        a = new Child(folder.resolve("domain"));
        assertThat(a.ask("fill")).isEqualTo("ok");
        b = new Child(folder.resolve("domain"));
        assertThat(b.ask("fill")).isEqualTo("ok");
        connect(Integer.parseInt(a.ask("qp")));
        a.tell("receive 50");
        b.tell("receive 50");
        assertThat(send(0, 100, a.srqNum, b.srqNum)).isEqualTo(WcStatus.SUCCESS);
        assertThat(a.answer()).isEqualTo("50 received, 0 wrong");
        assertThat(b.answer()).isEqualTo("50 received, 0 wrong");
    }

    @Test
    @Full
    void survivorContinues() throws Exception {
        b.kill();
        assertThat(send(0, 2, a.srqNum, b.srqNum)).isEqualTo(WcStatus.REM_OP_ERR);
        assertFails(a);
        connect(remoteNumber);
        assertThat(a.ask("receive 1")).isEqualTo("1 received, 0 wrong"); // message 0 from before
        a.tell("receive 10");
        assertThat(send(10, 20, a.srqNum, a.srqNum)).isEqualTo(WcStatus.SUCCESS);
        assertThat(a.answer()).isEqualTo("10 received, 0 wrong");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @Full
    void hangingProcessIsGivenUp() throws Exception {
        String pid = Long.toString(b.process.pid());
        assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor()).isZero();
        assertThat(send(1, 2, a.srqNum, b.srqNum)).isEqualTo(WcStatus.REM_OP_ERR);
        connect(remoteNumber);
        a.tell("receive 10");
        assertThat(send(10, 20, a.srqNum, a.srqNum)).isEqualTo(WcStatus.SUCCESS);
        assertThat(a.answer()).isEqualTo("10 received, 0 wrong");
    }

    private SendWorkRequest wr(int opcode, int offset, int length, long addr, int rkey) {
        return new SendWorkRequest()
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(addr)
                .rkey(rkey)
                .remoteSrqn(b.srqNum)
                .sgList(ScatterGatherElement.of(sender.mr, offset, length));
    }

    private int execute(SendWorkRequest wr) {
        assertThat(qp.postSend(wr)).isZero();
        return sender.next().status();
    }

    @Test
    void memoryOfOtherProcessIsAccessed() throws IOException {
        for (int i = 0; i < 100_000; i += 8) {
            sender.buffer.putLong(i, i);
        }
        assertThat(execute(wr(WrOpcode.RDMA_WRITE, 0, 100_000, b.addr, b.rkey))).isEqualTo(WcStatus.SUCCESS);
        assertThat(b.ask("peek 99992")).isEqualTo("99992");
        assertThat(execute(wr(WrOpcode.RDMA_READ, 200_000, 80_000, b.addr + 8000, b.rkey)))
                .isEqualTo(WcStatus.SUCCESS);
        for (int i = 0; i < 80_000; i += 8) {
            assertThat(sender.buffer.getLong(200_000 + i)).isEqualTo(8000 + i);
        }
        assertThat(execute(wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 0, 8, b.addr + 16, b.rkey)
                        .compareAdd(5)))
                .isEqualTo(WcStatus.SUCCESS);
        assertThat(sender.buffer.getLong(0)).isEqualTo(16);
        assertThat(execute(wr(WrOpcode.ATOMIC_CMP_AND_SWP, 0, 8, b.addr + 16, b.rkey)
                        .compareAdd(21)
                        .swap(-3)))
                .isEqualTo(WcStatus.SUCCESS);
        assertThat(sender.buffer.getLong(0)).isEqualTo(21);
        assertThat(b.ask("peek 16")).isEqualTo("-3");
        // A key of a's memory is not valid for b.
        assertThat(execute(wr(WrOpcode.RDMA_WRITE, 0, 8, a.addr, a.rkey))).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertFails(a);
    }

    /** Its queue pair has refused something: it responds first, and enters the state soon after. */
    private static void assertFails(Child process) throws IOException {
        long end = System.nanoTime() + Patience.NANOS;
        String state = process.ask("state");
        while (!state.equals("ERR") && System.nanoTime() < end) {
            state = process.ask("state");
        }
        assertThat(state).isEqualTo("ERR");
    }

    @Test
    @Full
    void readWithForeignKeyIsRefused() throws IOException {
        assertThat(execute(wr(WrOpcode.RDMA_READ, 0, 8, a.addr, a.rkey))).isEqualTo(WcStatus.REM_ACCESS_ERR);
        connect(remoteNumber);
        SendWorkRequest unknown = wr(WrOpcode.RDMA_READ, 0, 8, b.addr, b.rkey)
                .remoteSrqn(b.srqNum & ~0xfff | (b.srqNum & 0xfff) % 4000 + 1);
        assertThat(execute(unknown)).isEqualTo(WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    @Full
    void queuePairOfOtherProcessCanBeOpened() throws Exception {
        assertThat(b.ask("open " + remoteNumber)).isEqualTo("ok");
        assertThat(b.ask("state")).isEqualTo("RTS");
        assertThat(b.ask("connect " + XrcChildProgram.hex(sender.gid()) + " " + qp.qpNum()))
                .isEqualTo("ok"); // by b, on a's queue pair
        XrcChildProgram.connect(qp, a.gid, remoteNumber);
        assertThat(a.ask("close")).isEqualTo("ok");
        b.tell("receive 100");
        assertThat(send(0, 100, b.srqNum, b.srqNum)).isEqualTo(WcStatus.SUCCESS);
        assertThat(b.answer()).isEqualTo("100 received, 0 wrong");
        assertThat(b.ask("open " + (remoteNumber ^ 1))).startsWith("errno " + Errno.EINVAL);
        a.kill();
        assertThat(b.ask("event")).isEqualTo("local work queue catastrophic error");
        assertThat(b.ask("state")).startsWith("errno " + Errno.EIO).contains("has ended");
        assertThat(b.ask("close")).isEqualTo("ok");
    }

    @Test
    @Full
    void senderInSameProcessReachesOtherQueue() throws IOException {
        b.tell("receive 200");
        assertThat(a.ask("loop " + b.srqNum + " 200")).isEqualTo("200 sent");
        assertThat(b.answer()).isEqualTo("200 received, 0 wrong");
    }
}
