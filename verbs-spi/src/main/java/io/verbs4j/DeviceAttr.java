/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Capabilities and limits of a device: the result of {@link Context#queryDevice()}.
 *
 * <p>Counts are the device's own limits; a single call may be able to get less. Source: {@code ibv_query_device(3)}.
 * Not thread-safe.
 */
// Longer than 500 lines because each capability has a documented getter and setter, as `struct ibv_device_attr` has a
// field.
// More than 30 public methods because each field of the C structure is two, and the API is frozen.
public final class DeviceAttr {
    private String fwVer = "";
    private long nodeGuid;
    private long sysImageGuid;
    private long maxMrSize;
    private long pageSizeCap;
    private int vendorId;
    private int vendorPartId;
    private int hwVer;
    private int maxQp;
    private int maxQpWr;
    private long deviceCaps;
    private int maxSge;
    private int maxSgeRd;
    private int maxCq;
    private int maxCqe;
    private int maxMr;
    private int maxPd;
    private int maxQpRdAtom;
    private int maxEeRdAtom;
    private int maxResRdAtom;
    private int maxQpInitRdAtom;
    private int maxEeInitRdAtom;
    private int atomicCap;
    private int maxEe;
    private int maxRdd;
    private int maxMw;
    private int maxRawIpv6Qp;
    private int maxRawEthyQp;
    private int maxMcastGrp;
    private int maxMcastQpAttach;
    private int maxTotalMcastQpAttach;
    private int maxAh;
    private int maxFmr;
    private int maxMapPerFmr;
    private int maxSrq;
    private int maxSrqWr;
    private int maxSrqSge;
    private int maxPkeys;
    private int localCaAckDelay;
    private int physPortCnt;

    /** Creates an instance with every attribute zero. */
    public DeviceAttr() {}

    /** {@return the firmware version, in the vendor's format; "" if the device has none} */
    public String fwVer() {
        return fwVer;
    }

    /**
     * Sets {@link #fwVer()}.
     *
     * @param value firmware version, in the vendor's format; "" if the device has none
     * @return this
     */
    public DeviceAttr fwVer(String value) {
        fwVer = value;
        return this;
    }

    /** {@return the GUID of the node, EUI-64 in host byte order} */
    public long nodeGuid() {
        return nodeGuid;
    }

    /**
     * Sets {@link #nodeGuid()}.
     *
     * @param value GUID of the node, EUI-64 in host byte order
     * @return this
     */
    public DeviceAttr nodeGuid(long value) {
        nodeGuid = value;
        return this;
    }

    /** {@return the GUID of the system image, EUI-64 in host byte order} */
    public long sysImageGuid() {
        return sysImageGuid;
    }

    /**
     * Sets {@link #sysImageGuid()}.
     *
     * @param value GUID of the system image, EUI-64 in host byte order
     * @return this
     */
    public DeviceAttr sysImageGuid(long value) {
        sysImageGuid = value;
        return this;
    }

    /** {@return the largest memory region, in bytes} */
    public long maxMrSize() {
        return maxMrSize;
    }

    /**
     * Sets {@link #maxMrSize()}.
     *
     * @param value largest memory region, in bytes
     * @return this
     */
    public DeviceAttr maxMrSize(long value) {
        maxMrSize = value;
        return this;
    }

    /** {@return the page sizes that regions may have, one bit for each power of two, in bytes} */
    public long pageSizeCap() {
        return pageSizeCap;
    }

    /**
     * Sets {@link #pageSizeCap()}.
     *
     * @param value page sizes that regions may have, one bit for each power of two, in bytes
     * @return this
     */
    public DeviceAttr pageSizeCap(long value) {
        pageSizeCap = value;
        return this;
    }

    /** {@return the vendor id, as its IEEE OUI} */
    public int vendorId() {
        return vendorId;
    }

    /**
     * Sets {@link #vendorId()}.
     *
     * @param value vendor id, as its IEEE OUI
     * @return this
     */
    public DeviceAttr vendorId(int value) {
        vendorId = value;
        return this;
    }

    /** {@return the vendor's part id} */
    public int vendorPartId() {
        return vendorPartId;
    }

    /**
     * Sets {@link #vendorPartId()}.
     *
     * @param value vendor's part id
     * @return this
     */
    public DeviceAttr vendorPartId(int value) {
        vendorPartId = value;
        return this;
    }

    /** {@return the hardware version} */
    public int hwVer() {
        return hwVer;
    }

    /**
     * Sets {@link #hwVer()}.
     *
     * @param value hardware version
     * @return this
     */
    public DeviceAttr hwVer(int value) {
        hwVer = value;
        return this;
    }

    /** {@return the maximum number of queue pairs} */
    public int maxQp() {
        return maxQp;
    }

    /**
     * Sets {@link #maxQp()}.
     *
     * @param value maximum number of queue pairs
     * @return this
     */
    public DeviceAttr maxQp(int value) {
        maxQp = value;
        return this;
    }

    /** {@return the maximum number of work requests outstanding on a send or receive queue} */
    public int maxQpWr() {
        return maxQpWr;
    }

    /**
     * Sets {@link #maxQpWr()}.
     *
     * @param value maximum number of work requests outstanding on a send or receive queue
     * @return this
     */
    public DeviceAttr maxQpWr(int value) {
        maxQpWr = value;
        return this;
    }

    /** {@return the capabilities, {@link DeviceCap} bits, all 64 of them} */
    public long deviceCaps() {
        return deviceCaps;
    }

    /**
     * Sets {@link #deviceCaps()}.
     *
     * @param value capabilities, {@link DeviceCap} bits
     * @return this
     */
    public DeviceAttr deviceCaps(long value) {
        deviceCaps = value;
        return this;
    }

    /** {@return the lower 32 bits of {@link #deviceCaps()}} */
    public int deviceCapFlags() {
        return (int) deviceCaps;
    }

    /**
     * Sets {@link #deviceCaps()} to these 32 bits, and its other bits to 0.
     *
     * @param value capabilities, {@link DeviceCap} bits
     * @return this
     */
    public DeviceAttr deviceCapFlags(int value) {
        return deviceCaps(Integer.toUnsignedLong(value));
    }

    /** {@return the maximum number of scatter/gather elements in a send or receive work request} */
    public int maxSge() {
        return maxSge;
    }

    /**
     * Sets {@link #maxSge()}.
     *
     * @param value maximum number of scatter/gather elements in a send or receive work request
     * @return this
     */
    public DeviceAttr maxSge(int value) {
        maxSge = value;
        return this;
    }

    /** {@return the maximum number of scatter/gather elements in an RDMA READ work request} */
    public int maxSgeRd() {
        return maxSgeRd;
    }

    /**
     * Sets {@link #maxSgeRd()}.
     *
     * @param value maximum number of scatter/gather elements in an RDMA READ work request
     * @return this
     */
    public DeviceAttr maxSgeRd(int value) {
        maxSgeRd = value;
        return this;
    }

    /** {@return the maximum number of completion queues} */
    public int maxCq() {
        return maxCq;
    }

    /**
     * Sets {@link #maxCq()}.
     *
     * @param value maximum number of completion queues
     * @return this
     */
    public DeviceAttr maxCq(int value) {
        maxCq = value;
        return this;
    }

    /** {@return the maximum number of entries in a completion queue} */
    public int maxCqe() {
        return maxCqe;
    }

    /**
     * Sets {@link #maxCqe()}.
     *
     * @param value maximum number of entries in a completion queue
     * @return this
     */
    public DeviceAttr maxCqe(int value) {
        maxCqe = value;
        return this;
    }

    /** {@return the maximum number of memory regions} */
    public int maxMr() {
        return maxMr;
    }

    /**
     * Sets {@link #maxMr()}.
     *
     * @param value maximum number of memory regions
     * @return this
     */
    public DeviceAttr maxMr(int value) {
        maxMr = value;
        return this;
    }

    /** {@return the maximum number of protection domains} */
    public int maxPd() {
        return maxPd;
    }

    /**
     * Sets {@link #maxPd()}.
     *
     * @param value maximum number of protection domains
     * @return this
     */
    public DeviceAttr maxPd(int value) {
        maxPd = value;
        return this;
    }

    /** {@return the maximum number of RDMA READ and atomic requests outstanding at a queue pair as the responder} */
    public int maxQpRdAtom() {
        return maxQpRdAtom;
    }

    /**
     * Sets {@link #maxQpRdAtom()}.
     *
     * @param value maximum number of RDMA READ and atomic requests outstanding at a queue pair as the responder
     * @return this
     */
    public DeviceAttr maxQpRdAtom(int value) {
        maxQpRdAtom = value;
        return this;
    }

    /**
     * {@return the maximum number of RDMA READ and atomic requests outstanding at an end-to-end context as the
     * responder}
     */
    public int maxEeRdAtom() {
        return maxEeRdAtom;
    }

    /**
     * Sets {@link #maxEeRdAtom()}.
     *
     * @param value maximum number of RDMA READ and atomic requests outstanding at an end-to-end context as the
     *     responder
     * @return this
     */
    public DeviceAttr maxEeRdAtom(int value) {
        maxEeRdAtom = value;
        return this;
    }

    /** {@return the resources for RDMA READ and atomic requests as the responder, all queue pairs together} */
    public int maxResRdAtom() {
        return maxResRdAtom;
    }

    /**
     * Sets {@link #maxResRdAtom()}.
     *
     * @param value resources for RDMA READ and atomic requests as the responder, all queue pairs together
     * @return this
     */
    public DeviceAttr maxResRdAtom(int value) {
        maxResRdAtom = value;
        return this;
    }

    /** {@return the maximum number of RDMA READ and atomic requests outstanding at a queue pair as the initiator} */
    public int maxQpInitRdAtom() {
        return maxQpInitRdAtom;
    }

    /**
     * Sets {@link #maxQpInitRdAtom()}.
     *
     * @param value maximum number of RDMA READ and atomic requests outstanding at a queue pair as the initiator
     * @return this
     */
    public DeviceAttr maxQpInitRdAtom(int value) {
        maxQpInitRdAtom = value;
        return this;
    }

    /**
     * {@return the maximum number of RDMA READ and atomic requests outstanding at an end-to-end context as the
     * initiator}
     */
    public int maxEeInitRdAtom() {
        return maxEeInitRdAtom;
    }

    /**
     * Sets {@link #maxEeInitRdAtom()}.
     *
     * @param value maximum number of RDMA READ and atomic requests outstanding at an end-to-end context as the
     *     initiator
     * @return this
     */
    public DeviceAttr maxEeInitRdAtom(int value) {
        maxEeInitRdAtom = value;
        return this;
    }

    /** {@return the scope of atomic operations, an {@link AtomicCap} value} */
    public int atomicCap() {
        return atomicCap;
    }

    /**
     * Sets {@link #atomicCap()}.
     *
     * @param value scope of atomic operations, an {@link AtomicCap} value
     * @return this
     */
    public DeviceAttr atomicCap(int value) {
        atomicCap = value;
        return this;
    }

    /** {@return the maximum number of end-to-end contexts} */
    public int maxEe() {
        return maxEe;
    }

    /**
     * Sets {@link #maxEe()}.
     *
     * @param value maximum number of end-to-end contexts
     * @return this
     */
    public DeviceAttr maxEe(int value) {
        maxEe = value;
        return this;
    }

    /** {@return the maximum number of reliable datagram domains} */
    public int maxRdd() {
        return maxRdd;
    }

    /**
     * Sets {@link #maxRdd()}.
     *
     * @param value maximum number of reliable datagram domains
     * @return this
     */
    public DeviceAttr maxRdd(int value) {
        maxRdd = value;
        return this;
    }

    /** {@return the maximum number of memory windows} */
    public int maxMw() {
        return maxMw;
    }

    /**
     * Sets {@link #maxMw()}.
     *
     * @param value maximum number of memory windows
     * @return this
     */
    public DeviceAttr maxMw(int value) {
        maxMw = value;
        return this;
    }

    /** {@return the maximum number of raw IPv6 datagram queue pairs} */
    public int maxRawIpv6Qp() {
        return maxRawIpv6Qp;
    }

    /**
     * Sets {@link #maxRawIpv6Qp()}.
     *
     * @param value maximum number of raw IPv6 datagram queue pairs
     * @return this
     */
    public DeviceAttr maxRawIpv6Qp(int value) {
        maxRawIpv6Qp = value;
        return this;
    }

    /** {@return the maximum number of raw Ethertype datagram queue pairs} */
    public int maxRawEthyQp() {
        return maxRawEthyQp;
    }

    /**
     * Sets {@link #maxRawEthyQp()}.
     *
     * @param value maximum number of raw Ethertype datagram queue pairs
     * @return this
     */
    public DeviceAttr maxRawEthyQp(int value) {
        maxRawEthyQp = value;
        return this;
    }

    /** {@return the maximum number of multicast groups} */
    public int maxMcastGrp() {
        return maxMcastGrp;
    }

    /**
     * Sets {@link #maxMcastGrp()}.
     *
     * @param value maximum number of multicast groups
     * @return this
     */
    public DeviceAttr maxMcastGrp(int value) {
        maxMcastGrp = value;
        return this;
    }

    /** {@return the maximum number of queue pairs in one multicast group} */
    public int maxMcastQpAttach() {
        return maxMcastQpAttach;
    }

    /**
     * Sets {@link #maxMcastQpAttach()}.
     *
     * @param value maximum number of queue pairs in one multicast group
     * @return this
     */
    public DeviceAttr maxMcastQpAttach(int value) {
        maxMcastQpAttach = value;
        return this;
    }

    /** {@return the maximum number of attachments of queue pairs to multicast groups, for all groups together} */
    public int maxTotalMcastQpAttach() {
        return maxTotalMcastQpAttach;
    }

    /**
     * Sets {@link #maxTotalMcastQpAttach()}.
     *
     * @param value maximum number of attachments of queue pairs to multicast groups, for all groups together
     * @return this
     */
    public DeviceAttr maxTotalMcastQpAttach(int value) {
        maxTotalMcastQpAttach = value;
        return this;
    }

    /** {@return the maximum number of address handles} */
    public int maxAh() {
        return maxAh;
    }

    /**
     * Sets {@link #maxAh()}.
     *
     * @param value maximum number of address handles
     * @return this
     */
    public DeviceAttr maxAh(int value) {
        maxAh = value;
        return this;
    }

    /** {@return the maximum number of fast memory regions} */
    public int maxFmr() {
        return maxFmr;
    }

    /**
     * Sets {@link #maxFmr()}.
     *
     * @param value maximum number of fast memory regions
     * @return this
     */
    public DeviceAttr maxFmr(int value) {
        maxFmr = value;
        return this;
    }

    /** {@return the maximum number of remappings of a fast memory region before it must be unmapped} */
    public int maxMapPerFmr() {
        return maxMapPerFmr;
    }

    /**
     * Sets {@link #maxMapPerFmr()}.
     *
     * @param value maximum number of remappings of a fast memory region before it must be unmapped
     * @return this
     */
    public DeviceAttr maxMapPerFmr(int value) {
        maxMapPerFmr = value;
        return this;
    }

    /** {@return the maximum number of shared receive queues} */
    public int maxSrq() {
        return maxSrq;
    }

    /**
     * Sets {@link #maxSrq()}.
     *
     * @param value maximum number of shared receive queues
     * @return this
     */
    public DeviceAttr maxSrq(int value) {
        maxSrq = value;
        return this;
    }

    /** {@return the maximum number of work requests outstanding on a shared receive queue} */
    public int maxSrqWr() {
        return maxSrqWr;
    }

    /**
     * Sets {@link #maxSrqWr()}.
     *
     * @param value maximum number of work requests outstanding on a shared receive queue
     * @return this
     */
    public DeviceAttr maxSrqWr(int value) {
        maxSrqWr = value;
        return this;
    }

    /** {@return the maximum number of scatter/gather elements in a work request of a shared receive queue} */
    public int maxSrqSge() {
        return maxSrqSge;
    }

    /**
     * Sets {@link #maxSrqSge()}.
     *
     * @param value maximum number of scatter/gather elements in a work request of a shared receive queue
     * @return this
     */
    public DeviceAttr maxSrqSge(int value) {
        maxSrqSge = value;
        return this;
    }

    /** {@return the number of entries of the P_Key table} */
    public int maxPkeys() {
        return maxPkeys;
    }

    /**
     * Sets {@link #maxPkeys()}.
     *
     * @param value number of entries of the P_Key table
     * @return this
     */
    public DeviceAttr maxPkeys(int value) {
        maxPkeys = value;
        return this;
    }

    /** {@return the local ACK delay as an exponent: 4.096 µs × 2 to this power} */
    public int localCaAckDelay() {
        return localCaAckDelay;
    }

    /**
     * Sets {@link #localCaAckDelay()}.
     *
     * @param value local ACK delay as an exponent: 4.096 µs × 2 to this power
     * @return this
     */
    public DeviceAttr localCaAckDelay(int value) {
        localCaAckDelay = value;
        return this;
    }

    /** {@return the number of physical ports; ports are numbered from 1} */
    public int physPortCnt() {
        return physPortCnt;
    }

    /**
     * Sets {@link #physPortCnt()}.
     *
     * @param value number of physical ports; ports are numbered from 1
     * @return this
     */
    public DeviceAttr physPortCnt(int value) {
        physPortCnt = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
