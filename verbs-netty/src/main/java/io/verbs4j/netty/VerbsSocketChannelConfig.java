/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static io.netty.channel.ChannelOption.ALLOW_HALF_CLOSURE;
import static io.netty.channel.ChannelOption.IP_TOS;
import static io.netty.channel.ChannelOption.SO_KEEPALIVE;
import static io.netty.channel.ChannelOption.SO_LINGER;
import static io.netty.channel.ChannelOption.SO_RCVBUF;
import static io.netty.channel.ChannelOption.SO_REUSEADDR;
import static io.netty.channel.ChannelOption.SO_SNDBUF;
import static io.netty.channel.ChannelOption.TCP_NODELAY;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannelConfig;
import java.util.Map;

/**
 * Options of a {@link VerbsSocketChannel}: those of all channels, and the socket options that make sense over RDMA.
 * Others are refused. May be used by any thread.
 */
@SuppressWarnings("ReferenceEquality") // each option is one object
public final class VerbsSocketChannelConfig extends DefaultChannelConfig implements SocketChannelConfig {
    static final int RECEIVE_BYTES = 1024 * 1024;
    static final int SEND_BYTES = 1024 * 1024;

    private static final int MAX_TRAFFIC_CLASS = 255;

    private volatile boolean tcpNoDelay = true;
    private volatile int soLinger = -1;
    private volatile int sendBufferSize = SEND_BYTES;
    private volatile int receiveBufferSize = RECEIVE_BYTES;
    private volatile boolean keepAlive = true;
    private volatile int trafficClass;
    private volatile boolean reuseAddress;
    private volatile boolean allowHalfClosure;

    VerbsSocketChannelConfig(VerbsSocketChannel channel) {
        super(channel);
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(
                super.getOptions(),
                SO_RCVBUF,
                SO_SNDBUF,
                TCP_NODELAY,
                SO_KEEPALIVE,
                SO_REUSEADDR,
                SO_LINGER,
                IP_TOS,
                ALLOW_HALF_CLOSURE);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T getOption(ChannelOption<T> option) {
        if (option == SO_RCVBUF) {
            return (T) (Integer) receiveBufferSize;
        }
        if (option == SO_SNDBUF) {
            return (T) (Integer) sendBufferSize;
        }
        if (option == TCP_NODELAY) {
            return (T) (Boolean) tcpNoDelay;
        }
        if (option == SO_KEEPALIVE) {
            return (T) (Boolean) keepAlive;
        }
        if (option == SO_REUSEADDR) {
            return (T) (Boolean) reuseAddress;
        }
        if (option == SO_LINGER) {
            return (T) (Integer) soLinger;
        }
        if (option == IP_TOS) {
            return (T) (Integer) trafficClass;
        }
        if (option == ALLOW_HALF_CLOSURE) {
            return (T) (Boolean) allowHalfClosure;
        }
        return super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        validate(option, value);
        if (option == SO_RCVBUF) {
            setReceiveBufferSize((Integer) value);
        } else if (option == SO_SNDBUF) {
            setSendBufferSize((Integer) value);
        } else if (option == TCP_NODELAY) {
            setTcpNoDelay((Boolean) value);
        } else if (option == SO_KEEPALIVE) {
            setKeepAlive((Boolean) value);
        } else if (option == SO_REUSEADDR) {
            setReuseAddress((Boolean) value);
        } else if (option == SO_LINGER) {
            setSoLinger((Integer) value);
        } else if (option == IP_TOS) {
            setTrafficClass((Integer) value);
        } else if (option == ALLOW_HALF_CLOSURE) {
            setAllowHalfClosure((Boolean) value);
        } else {
            return super.setOption(option, value);
        }
        return true;
    }

    static int positive(String what, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be above 0");
        }
        return value;
    }

    @Override
    public boolean isTcpNoDelay() {
        return tcpNoDelay;
    }

    /** Has no effect: small writes are never delayed. */
    @Override
    public VerbsSocketChannelConfig setTcpNoDelay(boolean value) {
        tcpNoDelay = value;
        return this;
    }

    @Override
    public int getSoLinger() {
        return soLinger;
    }

    /**
     * Sets what closing the channel does with written data that is not acknowledged. Closing never waits for it.
     *
     * @param value -1, the default, to continue sending for at most 5 seconds; a positive number to do so for that many
     *     seconds; 0 to drop the data at once, so that the peer sees a reset
     * @return this
     */
    @Override
    public VerbsSocketChannelConfig setSoLinger(int value) {
        soLinger = value;
        return this;
    }

    @Override
    public int getSendBufferSize() {
        return sendBufferSize;
    }

    /**
     * Sets the maximum number of bytes that wait for acknowledgement, at most sixteen messages. Set it before the
     * channel is connected.
     */
    @Override
    public VerbsSocketChannelConfig setSendBufferSize(int value) {
        sendBufferSize = positive("SO_SNDBUF", value);
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return receiveBufferSize;
    }

    /**
     * Sets the maximum number of bytes that the peer may send before they are read, one to sixteen messages. Set it
     * before the channel is connected.
     */
    @Override
    public VerbsSocketChannelConfig setReceiveBufferSize(int value) {
        receiveBufferSize = positive("SO_RCVBUF", value);
        return this;
    }

    @Override
    public boolean isKeepAlive() {
        return keepAlive;
    }

    /**
     * Sets whether to detect a peer that vanishes without disconnecting; true by default. Set it before the channel is
     * connected.
     */
    @Override
    public VerbsSocketChannelConfig setKeepAlive(boolean value) {
        keepAlive = value;
        return this;
    }

    @Override
    public int getTrafficClass() {
        return trafficClass;
    }

    /** Sets the traffic class of the packets, 0 to 255. Set it on the connecting side, before connecting. */
    @Override
    public VerbsSocketChannelConfig setTrafficClass(int value) {
        if (value < 0 || value > MAX_TRAFFIC_CLASS) {
            throw new IllegalArgumentException("IP_TOS is " + value + "; it must be 0 to " + MAX_TRAFFIC_CLASS);
        }
        trafficClass = value;
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return reuseAddress;
    }

    /**
     * Sets whether the local port may be shared with ids that have this option too. Set it before the channel is bound.
     */
    @Override
    public VerbsSocketChannelConfig setReuseAddress(boolean value) {
        reuseAddress = value;
        return this;
    }

    /** Does nothing. */
    @Override
    public VerbsSocketChannelConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    @Override
    public boolean isAllowHalfClosure() {
        return allowHalfClosure;
    }

    @Override
    public VerbsSocketChannelConfig setAllowHalfClosure(boolean value) {
        allowHalfClosure = value;
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setConnectTimeoutMillis(int value) {
        super.setConnectTimeoutMillis(value);
        return this;
    }

    @Override
    @Deprecated
    public VerbsSocketChannelConfig setMaxMessagesPerRead(int value) {
        super.setMaxMessagesPerRead(value);
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setWriteSpinCount(int value) {
        super.setWriteSpinCount(value);
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setAllocator(ByteBufAllocator value) {
        super.setAllocator(value);
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setRecvByteBufAllocator(RecvByteBufAllocator value) {
        super.setRecvByteBufAllocator(value);
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setAutoRead(boolean value) {
        super.setAutoRead(value);
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setAutoClose(boolean value) {
        super.setAutoClose(value);
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setMessageSizeEstimator(MessageSizeEstimator value) {
        super.setMessageSizeEstimator(value);
        return this;
    }

    @Override
    public VerbsSocketChannelConfig setWriteBufferWaterMark(WriteBufferWaterMark value) {
        super.setWriteBufferWaterMark(value);
        return this;
    }

    @Override
    protected void autoReadCleared() {
        ((VerbsSocketChannel) channel).clearReadPending();
    }
}
