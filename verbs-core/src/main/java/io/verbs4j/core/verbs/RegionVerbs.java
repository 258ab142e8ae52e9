/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AccessFlags;
import io.verbs4j.ContextSlot;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.ReregFlags;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.flight.FlightRecording;
import io.verbs4j.core.flight.MemoryRegistrationEvent;
import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.RegMrEx;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The library's part of the verbs about memory regions, except those in device memory. */
final class RegionVerbs implements RegMrEx, AdviseMr, AllocNullMr, AllocMrKey {
    private static final long OF_FD = RegMrMask.IOVA | RegMrMask.FD | RegMrMask.FD_OFFSET;
    private static final long KNOWN = OF_FD | RegMrMask.ADDR | RegMrMask.BUFFER | RegMrMask.DMAH | RegMrMask.BUF;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;
    private final ImplicitRegions implicit;

    RegionVerbs(ObjectState context, ProviderSide side, Handles handles, ImplicitRegions implicit) {
        this.context = context;
        this.side = side;
        this.handles = handles;
        this.implicit = implicit;
    }

    MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        String verb = "reg_mr";
        ObjectState domain = handles.find(verb, "pd", pd);
        MemoryChecks.access(verb, access);
        implicit.check(verb, addr, length, access);
        Creation creation = begin(verb, domain);
        MemoryRegistrationEvent event = FlightRecording.registering();
        try (creation) {
            MemoryRegion mr = done(creation, side.ops().regMr(pd, addr, length, access), pd);
            return FlightRecording.registered(event, mr, access);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        String verb = "reg_mr";
        ObjectState domain = handles.find(verb, "pd", pd);
        MemoryChecks.access(verb, access);
        MemoryChecks.buffer(verb, buffer, access);
        RegionState state = new RegionState(context.owner(), List.of(domain, context), buffer);
        Creation creation = handles.begin(verb, state);
        MemoryRegistrationEvent event = FlightRecording.registering();
        try (creation) {
            state.hold(verb);
            MemoryRegion mr = done(creation, side.ops().regMrBuffer(pd, buffer, access), pd);
            return FlightRecording.registered(event, mr, access);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr) {
        String verb = "reg_mr_ex";
        ObjectState domain = handles.find(verb, "pd", pd);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, KNOWN, RegMrMask.LIBRARY_BITS, RegMrMask::toString);
        boolean ofBuffer = (attr.compMask() & RegMrMask.BUFFER) != 0;
        MemoryChecks.access(verb, attr.access());
        memory(verb, attr, ofBuffer);
        List<ObjectState> parents = parents(verb, pd, attr, domain);
        RegMrEx provider = side.slot(verb, ContextSlot.REG_MR_EX, RegMrEx.class);
        RegionState state = new RegionState(context.owner(), parents, ofBuffer ? attr.buffer() : null);
        Creation creation = handles.begin(verb, state);
        MemoryRegistrationEvent event = FlightRecording.registering();
        try (creation) {
            state.hold(verb);
            MemoryRegion mr = ofBuffer ? regBuffer(provider, pd, attr) : provider.regMrEx(pd, attr);
            return FlightRecording.registered(event, done(creation, mr, pd), attr.access());
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    private List<ObjectState> parents(String verb, ProtectionDomain pd, RegMrAttrEx attr, ObjectState domain) {
        List<ObjectState> parents = new ArrayList<>(List.of(domain, context));
        if ((attr.compMask() & RegMrMask.DMAH) != 0) {
            parents.add(handles.find(verb, "dmah", attr.dmah()));
        }
        if ((attr.compMask() & RegMrMask.BUF) != 0) {
            parents.add(handles.find(verb, "buf", attr.buf()));
            allocated(verb, pd, attr);
        }
        return parents;
    }

    /** C refuses the same, with EINVAL. */
    private static void allocated(String verb, ProtectionDomain pd, RegMrAttrEx attr) {
        if ((attr.compMask() & RegMrMask.ADDR) == 0) {
            throw Arguments.invalid(verb, "buf is set, but addr is not; it says which part of the buffer to register");
        }
        if (attr.buf().pd() != pd) {
            throw Arguments.invalid(verb, "buf was allocated for another protection domain; register it with that one");
        }
        long from = attr.addr() - attr.buf().addr();
        long length = attr.buf().length();
        if (from < 0 || from > length || attr.length() > length - from) {
            throw Arguments.invalid(
                    verb,
                    "addr and length name bytes " + from + " to " + (from + attr.length()) + " of buf, which has "
                            + length);
        }
    }

    /**
     * Registers a buffer. Providers take addresses only, and Java 17 has no API for a buffer's address, but a region
     * has it: the first byte is registered for a moment, with a subset of the rights. A buffer without an iova is
     * registered by the verb of level 1.
     */
    private MemoryRegion regBuffer(RegMrEx provider, ProtectionDomain pd, RegMrAttrEx attr) {
        ByteBuffer buffer = attr.buffer();
        if (attr.hasOnly(RegMrMask.BUFFER, 0)) {
            return side.ops().regMrBuffer(pd, buffer, attr.access());
        }
        MemoryRegion first =
                side.ops().regMrBuffer(pd, buffer.slice(buffer.position(), 1), attr.access() & AccessFlags.LOCAL_WRITE);
        long addr = first.addr();
        side.ops().deregMr(first);
        return provider.regMrEx(pd, attr.withAddressOfBuffer(addr));
    }

    private void memory(String verb, RegMrAttrEx attr, boolean ofBuffer) {
        boolean addressed = (attr.compMask() & RegMrMask.ADDR) != 0;
        boolean described = (attr.compMask() & (RegMrMask.FD | RegMrMask.FD_OFFSET)) != 0;
        if (ofBuffer && (addressed || described)) {
            throw Arguments.invalid(
                    verb, "buffer is set, and so is " + (addressed ? "addr" : "fd") + "; set exactly one of the three");
        }
        if (addressed == described && !ofBuffer) {
            throw Arguments.invalid(
                    verb,
                    (addressed ? "addr and fd are both set" : "neither addr nor fd is set")
                            + "; set exactly one: memory of this process, or a dma-buf");
        }
        if (ofBuffer) {
            MemoryChecks.buffer(verb, attr.buffer(), attr.access());
        } else if (described) {
            Masks.need(verb, attr, OF_FD, RegMrMask::toString);
            Arguments.atLeast(verb, "fd", attr.fd(), 0);
            Arguments.atLeast(verb, "fdOffset", attr.fdOffset(), 0);
            Arguments.atLeast(verb, "length", attr.length(), 1);
        } else {
            implicit.check(verb, attr.addr(), attr.length(), attr.access());
        }
        if ((attr.compMask() & RegMrMask.IOVA) != 0) {
            long length = ofBuffer ? attr.buffer().remaining() : attr.length();
            implicit.check(verb, attr.iova(), length, attr.access());
        }
    }

    @Override
    public void adviseMr(ProtectionDomain pd, int advice, int flags, ScatterGatherElement[] sgList, int numSge) {
        String verb = "advise_mr";
        ObjectState domain = handles.find(verb, "pd", pd);
        Arguments.notNull(verb, "sgList", sgList);
        Arguments.range(verb, "numSge", numSge, 1, Math.max(1, sgList.length));
        for (int i = 0; i < numSge; i++) {
            Arguments.notNull(verb, "sgList[" + i + "]", i < sgList.length ? sgList[i] : null);
        }
        AdviseMr provider = side.slot(verb, ContextSlot.ADVISE_MR, AdviseMr.class);
        domain.enter(verb);
        try {
            provider.adviseMr(pd, advice, flags, sgList, numSge);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            domain.leave();
        }
    }

    @Override
    public MemoryRegion allocNullMr(ProtectionDomain pd) {
        String verb = "alloc_null_mr";
        ObjectState domain = handles.find(verb, "pd", pd);
        AllocNullMr provider = side.slot(verb, ContextSlot.ALLOC_NULL_MR, AllocNullMr.class);
        Creation creation = begin(verb, domain);
        try (creation) {
            return done(creation, provider.allocNullMr(pd), pd);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public MemoryRegion allocMrKey(ProtectionDomain pd, MrKeyInitAttr attr) {
        String verb = "alloc_mr_key";
        ObjectState domain = handles.find(verb, "pd", pd);
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr);
        Arguments.atLeast(verb, "maxEntries", attr.maxEntries(), 1);
        AllocMrKey provider = side.slot(verb, ContextSlot.ALLOC_MR_KEY, AllocMrKey.class);
        Creation creation = begin(verb, domain);
        try (creation) {
            return done(creation, provider.allocMrKey(pd, attr), pd);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    private Creation begin(String verb, ObjectState domain) {
        return handles.begin(verb, new RegionState(context.owner(), List.of(domain, context), null));
    }

    private static MemoryRegion done(Creation creation, MemoryRegion returned, ProtectionDomain pd) {
        MemoryRegion mr = creation.made(returned);
        creation.require(mr.pd() == pd, "protection domain");
        return creation.done(mr);
    }

    void reregMr(MemoryRegion mr, int flags, ProtectionDomain newPd, long newAddr, long newLength, int newAccess) {
        String verb = "rereg_mr";
        RegionState state = (RegionState) handles.find(verb, "mr", mr);
        if (mr.isImported()) {
            throw Arguments.invalid(
                    verb, "the region is imported; change it in the context that registered it, and import it again");
        }
        if (flags == 0) {
            throw Arguments.invalid(verb, "flags is 0, so nothing would change; set some of ReregFlags");
        }
        boolean translation = (flags & ReregFlags.CHANGE_TRANSLATION) != 0;
        boolean rights = (flags & ReregFlags.CHANGE_ACCESS) != 0;
        if (translation) {
            MemoryChecks.range(verb, newAddr, newLength);
        }
        if (rights) {
            MemoryChecks.access(verb, newAccess);
        }
        ObjectState domain = (flags & ReregFlags.CHANGE_PD) == 0 ? null : handles.find(verb, "newPd", newPd);
        state.enterChange(verb);
        try {
            if (rights && !translation) {
                MemoryChecks.writable(verb, state.readOnly(), newAccess);
            }
            // Passes unchanged properties as they are, whatever the caller gave for them.
            long addr = translation ? newAddr : mr.addr();
            long length = translation ? newLength : mr.length();
            int access = rights ? newAccess : mr.access();
            if (domain == null) {
                side.ops().reregMr(mr, flags, mr.pd(), addr, length, access);
            } else {
                move(verb, state, domain, () -> side.ops().reregMr(mr, flags, newPd, addr, length, access));
            }
            if (translation) {
                state.letGo();
            }
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    /** Moves a region to another domain; at every moment, its domain cannot be closed. */
    private void move(String verb, ObjectState region, ObjectState newDomain, Runnable rereg) {
        newDomain.addChild(verb, Kind.MR);
        ObjectState unused = newDomain;
        try {
            rereg.run();
            unused = region.parents().get(0);
            region.parents(List.of(newDomain, context));
        } finally {
            unused.removeChild(Kind.MR);
        }
    }

    void deregMr(MemoryRegion mr) {
        handles.destroy("dereg_mr", "mr", mr, p -> p.deregMr(mr));
    }
}
