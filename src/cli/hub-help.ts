// Help text that every command talking to a hub repeats.
export const hubHelp = `HUB_URL and HUB_TOKEN, or url and token under [client] of the config file, name the hub and the identity.

exit codes
  0   done
  1   the hub answered with an error, printed on stderr as JSON
  2   bad command line
  69  the hub could not be reached
  77  the hub refused the token
  78  configuration
`;
