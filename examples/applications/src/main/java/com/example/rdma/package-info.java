/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What both examples need: addresses, connections, waiting, closing in order. */
package com.example.rdma;
