/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.mlx5.layout.DvMkeyInitAttrLayout;
import io.verbs4j.provider.mlx5.layout.DvMkeyLayout;
import io.verbs4j.provider.mlx5.ring.MrKey;
import io.verbs4j.provider.mlx5.ring.MrKeyHandle;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/** Keys that work requests register memory with: libmlx5 creates them through DevX, and Java writes the requests. */
final class MrKeyVerbs {
    /** The capabilities that a device must report for its keys to be changed by work requests. */
    private static final long NEEDED = DeviceCap.MEM_MGT_EXTENSIONS | DeviceCap.MEM_WINDOW_TYPE_2B;

    private static final String VERB = "alloc_mr_key";

    /**
     * {@code MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT}. Whether peers may invalidate the key is part of each registration.
     */
    private static final int INDIRECT = 1;

    private final Mlx5Context base;
    private Boolean devx;

    MrKeyVerbs(Mlx5Context base) {
        this.base = base;
    }

    /** Returns whether a device with such {@link DeviceCap} bits supports these keys. */
    boolean areThere(long caps) {
        return base.isJavaPath() && (caps & NEEDED) == NEEDED && Libmlx5.has("mlx5dv_create_mkey") && hasDevx();
    }

    /** Returns whether the kernel allows DevX; queried once. */
    synchronized boolean hasDevx() {
        if (devx == null) {
            devx = HcaCaps.of(base, HcaCaps.GENERAL) != null;
        }
        return devx;
    }

    /** Creates a key; the library has checked that it has at least one entry. */
    MemoryRegion alloc(ProtectionDomain pd, MrKeyInitAttr attr) {
        if (base.maxFastRegLen() == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    VERB,
                    "the device or the kernel does not support keys that work requests register memory under; use"
                            + " reg_mr");
        }
        Answers.refuseUnknown(VERB, attr, 0);
        int most = base.maxFastRegLen();
        if (attr.maxEntries() > most) {
            throw new VerbsException(
                    Errno.EINVAL, VERB, "maxEntries is " + attr.maxEntries() + "; the device supports 1 to " + most);
        }
        long mkey = create(pd, attr.maxEntries());
        MrKeyHandle handle = new MrKeyHandle(
                pd, mkey, base.rings().mrKeys(), NativeMemory.getInt(mkey + DvMkeyLayout.LKEY), attr.maxEntries());
        base.rings().mrKeys().add(handle.key);
        return handle;
    }

    private static long create(ProtectionDomain pd, int entries) {
        try (Scratch c = new Scratch(DvMkeyInitAttrLayout.SIZEOF)) {
            NativeMemory.putLong(c.address() + DvMkeyInitAttrLayout.PD, IbvObject.addressOf(pd));
            NativeMemory.putInt(c.address() + DvMkeyInitAttrLayout.CREATE_FLAGS, INDIRECT);
            NativeMemory.putShort(c.address() + DvMkeyInitAttrLayout.MAX_ENTRIES, entries);
            return Answers.checkPointer(
                    VERB, Libmlx5.function("mlx5dv_create_mkey", 24).call(c.address()));
        }
    }

    /** Destroys a key, whether or not memory is registered with it. */
    void dereg(MrKeyHandle handle) {
        MrKey key = handle.key;
        key.pin().closeFor(base::awaitPosts, () -> {
            Answers.check(
                    "dereg_mr", Libmlx5.function("mlx5dv_destroy_mkey", 24).call(key.address()));
            base.rings().mrKeys().remove(key);
        });
    }
}
