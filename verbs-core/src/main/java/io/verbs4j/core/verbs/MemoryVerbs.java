/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.flight.FlightRecording;
import io.verbs4j.core.flight.MemoryRegistrationEvent;
import java.nio.ByteBuffer;
import java.util.List;

/** The library's part of the verbs about memory regions and memory windows. */
final class MemoryVerbs {
    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;
    private final ImplicitRegions implicit;

    MemoryVerbs(ObjectState context, ProviderSide side, Handles handles, ImplicitRegions implicit) {
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
        Creation creation = handles.begin(verb, new RegionState(context.owner(), List.of(domain, context), null));
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
                    verb,
                    "the region is imported; have it changed by the context that registered it, and import it again");
        }
        if (flags == 0) {
            throw Arguments.invalid(verb, "flags is 0, so nothing would change; take some of ReregFlags");
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
            // What does not change is passed as it is: the caller's word for it does not count.
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

    /** Moves a region to another domain, so that at every moment the one that it is in can't be closed. */
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

    MemoryWindow allocMw(ProtectionDomain pd, int type) {
        String verb = "alloc_mw";
        ObjectState domain = handles.find(verb, "pd", pd);
        ObjectState state = new ObjectState(context.owner(), Kind.MW, List.of(domain, context));
        Creation creation = handles.begin(verb, state);
        try (creation) {
            MemoryWindow mw = creation.made(side.ops().allocMw(pd, type));
            creation.require(mw.pd() == pd, "protection domain");
            return creation.done(mw);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    void deallocMw(MemoryWindow mw) {
        handles.destroy("dealloc_mw", "mw", mw, p -> p.deallocMw(mw));
    }
}
