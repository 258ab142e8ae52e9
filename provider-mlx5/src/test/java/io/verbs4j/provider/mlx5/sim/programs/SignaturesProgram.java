/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mlx5BlockSize;
import io.verbs4j.mlx5dv.Mlx5CrcType;
import io.verbs4j.mlx5dv.Mlx5Mkey;
import io.verbs4j.mlx5dv.Mlx5MkeyConfFlags;
import io.verbs4j.mlx5dv.Mlx5MkeyError;
import io.verbs4j.mlx5dv.Mlx5MkeyErrorType;
import io.verbs4j.mlx5dv.Mlx5MkeyFlags;
import io.verbs4j.mlx5dv.Mlx5MkeyRequest;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.mlx5dv.Mlx5SigBlock;
import io.verbs4j.mlx5dv.Mlx5SigDomain;
import io.verbs4j.mlx5dv.Mlx5SigMask;
import io.verbs4j.mlx5dv.Mlx5T10DifFlags;
import io.verbs4j.mlx5dv.Mlx5T10DifGuard;
import io.verbs4j.mlx5dv.Mlx5WcOpcode;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A program for a simulated device: runs one case of keys with signatures by name, on the data path that the second
 * argument names. Prints {@code done} and the name.
 */
public final class SignaturesProgram {
    private static final int BLOCK = 512;
    private static final int DIF = 8;
    private static final int BLOCKS = 3;
    private static final int APP = 0xabcd;
    private static final int REF = 0x0123_4567;

    /** Where blocks with signatures start; those without follow. */
    private static final int SIGNED = 256;

    private static final int PLAIN = MkeyRig.MEMORY / 2;

    private static final int FLAGS = Mlx5MkeyFlags.INDIRECT | Mlx5MkeyFlags.BLOCK_SIGNATURE;
    private static final int DIF_MASK =
            Mlx5SigMask.T10DIF_GUARD | Mlx5SigMask.T10DIF_APPTAG | Mlx5SigMask.T10DIF_REFTAG;

    private SignaturesProgram() {}

    public static void main(String... args) {
        String path = args[1];
        Cases.run(args[0], name -> {
            run(name, path);
            Simulator.requireNoViolation();
        });
    }

    private static void run(String name, String path) {
        switch (name) {
            case "dif" -> dif(path);
            case "wrong" -> wrong(path);
            case "crc" -> crc(path);
            case "both" -> both(path);
            case "reset" -> reset(path);
            case "mistakes" -> mistakes(path);
            case "full" -> full(path);
            case "onJava" -> onJava(path);
            default -> throw new IllegalArgumentException(name);
        }
    }

    private static Mlx5SigDomain t10Dif() {
        return Mlx5SigDomain.t10Dif(
                Mlx5T10DifGuard.CRC, 0xffff, APP, REF, Mlx5T10DifFlags.REF_REMAP, Mlx5BlockSize.SIZE_512);
    }

    /** Computes the guard of T10-DIF bit by bit. */
    private static int guard(MkeyRig rig, int at) {
        int crc = 0xffff;
        for (int i = 0; i < BLOCK; i++) {
            crc ^= (rig.memory.get(at + i) & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x8bb7 : crc << 1;
            }
        }
        return crc & 0xffff;
    }

    private static int netShort(MkeyRig rig, int at) {
        return rig.memory.duplicate().order(ByteOrder.BIG_ENDIAN).getShort(at) & 0xffff;
    }

    private static int netInt(MkeyRig rig, int at) {
        return rig.memory.duplicate().order(ByteOrder.BIG_ENDIAN).getInt(at);
    }

    private static Mlx5MkeyRequest sign(MkeyRig rig, Mlx5Mkey key, Mlx5SigBlock signatures, int bytes) {
        return MkeyRig.change(11)
                .mkey(key)
                .access(Mlx5Rig.ACCESS)
                .list(rig.element(SIGNED, bytes))
                .signatures(signatures);
    }

    private static void write(MkeyRig rig, Mlx5Mkey key, int length) {
        rig.done(MkeyRig.request(WrOpcode.RDMA_WRITE, rig.element(PLAIN, length), key.rkey(), 0), WcStatus.SUCCESS);
        rig.nothingElse();
    }

    private static void read(MkeyRig rig, Mlx5Mkey key, int length) {
        rig.done(MkeyRig.request(WrOpcode.RDMA_READ, rig.element(PLAIN, length), key.rkey(), 0), WcStatus.SUCCESS);
        rig.nothingElse();
    }

    /** The device adds signatures to what is written, and removes them from what is read. */
    private static void dif(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, FLAGS, 4)) {
            Mlx5SigBlock signatures = Mlx5SigBlock.of(t10Dif(), null, DIF_MASK);
            assertThat(rig.done(sign(rig, key, signatures, BLOCKS * (BLOCK + DIF)))
                            .opcode())
                    .isEqualTo(Mlx5WcOpcode.UMR);
            rig.nothingElse(); // one completion for all of it
            rig.fill(PLAIN, BLOCKS * BLOCK, 5);
            write(rig, key, BLOCKS * BLOCK);
            for (int n = 0; n < BLOCKS; n++) {
                int at = SIGNED + n * (BLOCK + DIF);
                for (int i = 0; i < BLOCK; i++) {
                    assertThat(rig.memory.get(at + i)).isEqualTo(rig.memory.get(PLAIN + n * BLOCK + i));
                }
                assertThat(netShort(rig, at + BLOCK)).isEqualTo(guard(rig, at));
                assertThat(netShort(rig, at + BLOCK + 2)).isEqualTo(APP);
                assertThat(netInt(rig, at + BLOCK + 4)).isEqualTo(REF + n);
            }
            rig.fill(PLAIN, BLOCKS * BLOCK, 200);
            read(rig, key, BLOCKS * BLOCK);
            for (int i = 0; i < BLOCKS * BLOCK; i++) {
                assertThat(rig.memory.get(PLAIN + i)).isEqualTo(rig.memory.get(SIGNED + i + i / BLOCK * DIF));
            }
            assertThat(key.check().type()).isEqualTo(Mlx5MkeyErrorType.NO_ERR);
        }
    }

    /** Every mistake is found and reported once, with its place; the key works again once it is reconfigured. */
    private static void wrong(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, FLAGS, 4)) {
            Mlx5MkeyRequest sign = sign(rig, key, Mlx5SigBlock.of(t10Dif(), null, DIF_MASK), BLOCKS * (BLOCK + DIF));
            int[][] injected = {
                {BLOCK + DIF + 17, Mlx5MkeyErrorType.SIG_BLOCK_BAD_GUARD}, // a byte of the data
                {BLOCK + 1, Mlx5MkeyErrorType.SIG_BLOCK_BAD_GUARD},
                {2 * (BLOCK + DIF) + BLOCK + 3, Mlx5MkeyErrorType.SIG_BLOCK_BAD_APPTAG},
                {BLOCK + 7, Mlx5MkeyErrorType.SIG_BLOCK_BAD_REFTAG},
            };
            for (int[] wrong : injected) {
                rig.done(sign);
                write(rig, key, BLOCKS * BLOCK);
                int at = SIGNED + wrong[0];
                int block = wrong[0] / (BLOCK + DIF);
                int signature = SIGNED + block * (BLOCK + DIF) + BLOCK;
                int rightGuard = netShort(rig, signature);
                rig.memory.put(at, (byte) (rig.memory.get(at) ^ 0x10));
                read(rig, key, BLOCKS * BLOCK);
                Mlx5MkeyError error = key.check();
                assertThat(error.type()).isEqualTo(wrong[1]);
                assertThat(error.offset()).isEqualTo((long) block * BLOCK);
                if (error.type() == Mlx5MkeyErrorType.SIG_BLOCK_BAD_APPTAG) {
                    assertThat(error.expectedValue()).isEqualTo(APP);
                    assertThat(error.actualValue()).isEqualTo(APP ^ 0x10);
                } else if (error.type() == Mlx5MkeyErrorType.SIG_BLOCK_BAD_REFTAG) {
                    assertThat(error.expectedValue()).isEqualTo(REF);
                    assertThat(error.actualValue()).isEqualTo(REF ^ 0x10);
                } else {
                    boolean inData = wrong[0] % (BLOCK + DIF) < BLOCK;
                    long computed = guard(rig, signature - BLOCK);
                    assertThat(new long[] {error.expectedValue(), error.actualValue()})
                            .containsExactlyInAnyOrder(computed, inData ? rightGuard : rightGuard ^ 0x10);
                }
                Mlx5MkeyError none = key.check();
                assertThat(none.type()).isEqualTo(Mlx5MkeyErrorType.NO_ERR);
            }
            rig.done(sign);
            write(rig, key, BLOCKS * BLOCK);
            read(rig, key, BLOCKS * BLOCK);
            assertThat(key.check().type()).isEqualTo(Mlx5MkeyErrorType.NO_ERR);
        }
    }

    /** Only what the mask selects is checked. */
    private static void crc(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, FLAGS, 4)) {
            int[] types = {Mlx5CrcType.CRC32, Mlx5CrcType.CRC32C};
            for (int type : types) {
                Mlx5SigDomain domain = Mlx5SigDomain.crc(type, 0xffff_ffffL, Mlx5BlockSize.SIZE_512);
                rig.done(sign(rig, key, Mlx5SigBlock.of(domain, null, Mlx5SigMask.CRC32), BLOCK + 4));
                rig.fill(PLAIN, BLOCK, type + 3);
                write(rig, key, BLOCK);
                Checksum checksum = type == Mlx5CrcType.CRC32 ? new CRC32() : new CRC32C();
                byte[] block = new byte[BLOCK];
                rig.memory.get(SIGNED, block);
                checksum.update(block);
                assertThat(netInt(rig, SIGNED + BLOCK)).isEqualTo((int) checksum.getValue());
                rig.memory.put(SIGNED, (byte) ~rig.memory.get(SIGNED));
                read(rig, key, BLOCK);
                Mlx5MkeyError error = key.check();
                assertThat(error.type()).isEqualTo(Mlx5MkeyErrorType.SIG_BLOCK_BAD_GUARD);
                assertThat(error.actualValue()).isEqualTo(checksum.getValue());
                rig.done(sign(rig, key, Mlx5SigBlock.of(domain, null, 0), BLOCK + 4));
                read(rig, key, BLOCK);
                assertThat(key.check().type()).isEqualTo(Mlx5MkeyErrorType.NO_ERR);
            }
        }
    }

    /** Signatures in memory and on the wire: the copy mask selects whether bytes are copied or computed. */
    private static void both(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, FLAGS, 4)) {
            Mlx5SigBlock both = Mlx5SigBlock.of(t10Dif(), t10Dif(), 0);
            for (int mask : new int[] {0, Mlx5SigMask.T10DIF_APPTAG, DIF_MASK}) {
                rig.done(sign(rig, key, both.withCopyMask(mask), BLOCK + DIF));
                rig.fill(PLAIN, BLOCK + DIF, 1);
                rig.fill(SIGNED, BLOCK + DIF, 77);
                write(rig, key, BLOCK + DIF);
                boolean copiesApp = (mask & Mlx5SigMask.T10DIF_APPTAG) != 0;
                boolean copiesRef = (mask & Mlx5SigMask.T10DIF_REFTAG) != 0;
                assertThat(netShort(rig, SIGNED + BLOCK + 2))
                        .isEqualTo(copiesApp ? netShort(rig, PLAIN + BLOCK + 2) : APP);
                assertThat(netInt(rig, SIGNED + BLOCK + 4)).isEqualTo(copiesRef ? netInt(rig, PLAIN + BLOCK + 4) : REF);
            }
        }
    }

    /** Without signatures, bytes are transferred as they lie in memory. */
    private static void reset(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, FLAGS, 4)) {
            rig.done(sign(rig, key, Mlx5SigBlock.of(t10Dif(), null, DIF_MASK), BLOCK + DIF));
            write(rig, key, BLOCK);
            assertThat(netInt(rig, SIGNED + BLOCK + 4)).isEqualTo(REF);
            rig.done(MkeyRig.change(12).mkey(key).confFlags(Mlx5MkeyConfFlags.RESET_SIG_ATTR));
            rig.fill(PLAIN, BLOCK + DIF, 9);
            write(rig, key, BLOCK + DIF);
            assertThat(netInt(rig, SIGNED + BLOCK + 4)).isEqualTo(netInt(rig, PLAIN + BLOCK + 4));
        }
    }

    private static void mistakes(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, FLAGS, 4);
                Mlx5Mkey unsigned = rig.dv.createMkey(rig.pd, Mlx5MkeyFlags.INDIRECT, 4)) {
            refused(Errno.EINVAL, "mkey_check", unsigned::check);
            Mlx5SigBlock good = Mlx5SigBlock.of(null, t10Dif(), 0);
            assertThat(rig.dv.postSend(rig.qp, sign(rig, unsigned, good, 8))).isEqualTo(Errno.EINVAL);
            Mlx5SigDomain noSize = Mlx5SigDomain.t10Dif(Mlx5T10DifGuard.CRC, 0, 0, 0, 0, 9);
            assertThat(rig.dv.postSend(rig.qp, sign(rig, key, Mlx5SigBlock.of(noSize, null, 0), 8)))
                    .isEqualTo(Errno.EINVAL);
            Mlx5SigDomain noSeed = Mlx5SigDomain.crc(Mlx5CrcType.CRC32, 5, Mlx5BlockSize.SIZE_512);
            assertThat(rig.dv.postSend(rig.qp, sign(rig, key, Mlx5SigBlock.of(noSeed, null, 0), 8)))
                    .isEqualTo(Errno.EINVAL);
            Mlx5MkeyRequest flags = MkeyRig.change(13).mkey(key).confFlags(2);
            assertThat(rig.dv.postSend(rig.qp, flags)).isEqualTo(Errno.EOPNOTSUPP);
            refused(Errno.EINVAL, "neither", () -> Mlx5SigBlock.of(null, null, 0));
            refused(Errno.EINVAL, "checkMask", () -> Mlx5SigBlock.of(t10Dif(), null, 256));
            refused(Errno.EINVAL, "copyMask", () -> good.withCopyMask(-1));
            refused(Errno.EINVAL, "16 bits", () -> Mlx5SigDomain.t10Dif(0, 0x10000, 0, 0, 0, 0));
            refused(Errno.EINVAL, "16 bits", () -> Mlx5SigDomain.t10Dif(0, 0, -1, 0, 0, 0));
            rig.done(sign(rig, key, good, BLOCK).confFlags(Mlx5MkeyConfFlags.RESET_SIG_ATTR));
            assertThat(good).isEqualTo(Mlx5SigBlock.of(null, t10Dif(), 0)).isNotEqualTo(good.withCopyMask(0));
        }
    }

    /** A key with signatures takes the room of three requests. */
    private static void full(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, FLAGS, 4)) {
            Mlx5SigBlock both = Mlx5SigBlock.of(t10Dif(), t10Dif(), 0);
            for (int round = 0; round < 4; round++) {
                int posted = 0;
                while (rig.dv.postSend(rig.qp, sign(rig, key, both, BLOCK + DIF)) == 0) {
                    posted++;
                }
                assertThat(posted).isBetween(MkeyRig.DEPTH / 3, 32);
                for (int i = 0; i < posted; i++) {
                    rig.completion(11, WcStatus.SUCCESS);
                }
                rig.nothingElse();
            }
        }
    }

    private static void onJava(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE)) {
            refused(Errno.EOPNOTSUPP, "-Dio.verbs4j.mlx5.path=native", () -> rig.dv.createMkey(rig.pd, FLAGS, 4));
        }
    }
}
