/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.dv.DvContext;
import io.verbs4j.provider.mlx5.layout.DvMkeyErrLayout;
import io.verbs4j.provider.mlx5.layout.DvMkeyInitAttrLayout;
import io.verbs4j.provider.mlx5.layout.DvMkeyLayout;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * A memory key over pieces of other keys' memory, created by {@link Mlx5Dv#createMkey}. It refers to nothing until a
 * {@link Mlx5MkeyRequest} sets its layout. Its addresses begin at 0. Close it before its protection domain and its
 * context. Thread-safe, except with signatures: configure, use and check such a key from one thread at a time, and
 * close it while no thread polls. Source: mlx5dv_create_mkey(3).
 */
public final class Mlx5Mkey extends DvHandle {
    private static final String KIND = "mlx5 memory key";
    private static final String CREATE = "mlx5dv_create_mkey";
    private static final String CHECK = "_mlx5dv_mkey_check";

    /** libmlx5 rounds the number of entries up to a multiple of this. */
    private static final int TOGETHER = 4;

    private static final int MOST_ENTRIES = 0xffff;

    /** Those of {@code MLX5DV_MKEY_INIT_ATTR_FLAGS_*} that Java has a name for. */
    private static final int KNOWN = Mlx5MkeyFlags.INDIRECT
            | Mlx5MkeyFlags.BLOCK_SIGNATURE
            | Mlx5MkeyFlags.UPDATE_TAG
            | Mlx5MkeyFlags.REMOTE_INVALIDATE;

    /** The {@code struct mlx5dv_mkey}. */
    final long address;

    /** Whether the key may have signatures. */
    final boolean isSigned;

    /** Maximum number of entries in its list, rounded up as in libmlx5. */
    final int entries;

    /** The local key as a number. */
    final int key;

    private final int remoteKey;

    private Mlx5Mkey(DvContext base, long address, int createFlags, int maxEntries) {
        super(base, KIND);
        this.address = address;
        isSigned = (createFlags & Mlx5MkeyFlags.BLOCK_SIGNATURE) != 0;
        entries = maxEntries + TOGETHER - 1 & -TOGETHER;
        key = NativeMemory.getInt(address + DvMkeyLayout.LKEY);
        remoteKey = NativeMemory.getInt(address + DvMkeyLayout.RKEY);
    }

    static Mlx5Mkey create(DvContext base, ProtectionDomain pd, int createFlags, int maxEntries) {
        if ((createFlags & ~KNOWN) != 0 || (createFlags & Mlx5MkeyFlags.INDIRECT) == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    CREATE,
                    "createFlags is 0x" + Integer.toHexString(createFlags)
                            + "; use flags of Mlx5MkeyFlags, including INDIRECT");
        }
        if (maxEntries < 1 || maxEntries > MOST_ENTRIES) {
            throw new VerbsException(Errno.EINVAL, CREATE, "maxEntries is " + maxEntries + "; pass 1 to 65535");
        }
        if ((createFlags & Mlx5MkeyFlags.BLOCK_SIGNATURE) != 0 && base.isJavaPath()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    CREATE,
                    "Java does not read the device's signature errors; libmlx5 does: use"
                            + " -Dio.verbs4j.mlx5.path=native");
        }
        return base.use(
                CREATE,
                "pd",
                pd == null ? null : pd.base(),
                NativeProtectionDomain.class,
                h -> h.ibv,
                known -> make(base, CREATE, KIND, () -> {
                    try (Scratch c = new Scratch(DvMkeyInitAttrLayout.SIZEOF)) {
                        NativeMemory.putLong(c.address() + DvMkeyInitAttrLayout.PD, known.address());
                        NativeMemory.putInt(c.address() + DvMkeyInitAttrLayout.CREATE_FLAGS, createFlags);
                        NativeMemory.putShort(c.address() + DvMkeyInitAttrLayout.MAX_ENTRIES, maxEntries);
                        long mkey = Answers.checkPointer(
                                CREATE, Libmlx5.function(CREATE, 24).call(c.address()));
                        return new Mlx5Mkey(base, mkey, createFlags, maxEntries);
                    }
                }));
    }

    /**
     * Returns the key for local elements.
     *
     * @return the key
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public int lkey() {
        return use("mlx5dv_mkey", () -> key);
    }

    /**
     * Returns the key for the peer's requests.
     *
     * @return the key
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public int rkey() {
        return use("mlx5dv_mkey", () -> remoteKey);
    }

    /**
     * Returns the signature error since the last call, and clears it. Call it after polling the completion of the data.
     * Since rdma-core 36. Source: mlx5dv_mkey_check(3).
     *
     * @return the error; of type {@link Mlx5MkeyErrorType#NO_ERR} if there was none
     * @throws VerbsException {@link Errno#EINVAL} for a key without {@link Mlx5MkeyFlags#BLOCK_SIGNATURE}
     */
    public Mlx5MkeyError check() {
        return use(CHECK, () -> {
            try (Scratch c = new Scratch(DvMkeyErrLayout.SIZEOF)) {
                long at = c.address();
                Answers.check(CHECK, Libmlx5.function(CHECK, 36).call(address, at, DvMkeyErrLayout.SIZEOF));
                return new Mlx5MkeyError(
                        NativeMemory.getInt(at + DvMkeyErrLayout.ERR_TYPE),
                        NativeMemory.getLong(at + DvMkeyErrLayout.ERR_SIG_ACTUAL_VALUE),
                        NativeMemory.getLong(at + DvMkeyErrLayout.ERR_SIG_EXPECTED_VALUE),
                        NativeMemory.getLong(at + DvMkeyErrLayout.ERR_SIG_OFFSET));
            }
        });
    }

    @Override
    void destroy() {
        Answers.check(
                "mlx5dv_destroy_mkey",
                Libmlx5.function("mlx5dv_destroy_mkey", 24).call(address));
    }
}
